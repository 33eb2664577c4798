/// What every stub throws: Apple documents no error type, so nothing may depend on one.
enum StubError: Error {
    case notApples
}
