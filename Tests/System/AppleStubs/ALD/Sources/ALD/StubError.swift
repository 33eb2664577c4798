/// The error that every stub throws. Apple documents no error type, so code must not depend on one.
enum StubError: Error {
    case notApples
}
