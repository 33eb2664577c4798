import TenureStore

func expect(_ condition: Bool, _ message: String, file: String = #fileID, line: Int = #line) throws {
    if !condition { throw ContractViolation(message: message, file: file, line: line) }
}

func expectEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, file: String = #fileID, line: Int = #line
) throws {
    if found != expected {
        throw ContractViolation(message: "found \(found), expected \(expected)", file: file, line: line)
    }
}

func expectFailure(
    _ code: StoreError.Code, of key: String? = nil, file: String = #fileID, line: Int = #line,
    _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch let error as StoreError where error.code == code {
        if error.taken == key { return }
        throw ContractViolation(message: "failed because of \(error.taken ?? "no key")", file: file, line: line)
    } catch {
        throw ContractViolation(message: "failed with \(error), expected \(code)", file: file, line: line)
    }
    throw ContractViolation(message: "succeeded, expected \(code)", file: file, line: line)
}
