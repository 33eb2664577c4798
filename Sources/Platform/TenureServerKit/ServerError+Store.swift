import TenureCore
public import TenureStore

extension ServerError {
    /// Converts an error of the store.
    ///
    /// Codes that callers act on are kept: transient errors, `in_use`, and a table's own code for a duplicate key. All
    /// others become ``Code/store``.
    public init(_ error: StoreError) {
        // A full disk needs the operator, but the client's request can succeed once there is space.
        let isTransient = error.isTransient || error.code == .full
        let told: Code =
            isTransient
            ? Code(error.code.text) : error.code == .inUse ? .inUse : error.meaning.map { Code($0) } ?? .store
        self.init(
            told, error.message, cause: error.description, isTransient: isTransient,
            taken: error.taken)
    }

    /// Converts an error of a closure that throws untyped errors: server errors stay as they are.
    package init(thrown error: any Error) {
        self = error as? ServerError ?? ServerError(StoreError(thrown: error))
    }

    /// Returns the error with another code and message if this key has a duplicate.
    package func told<Row>(_ code: Code, _ message: String, where key: Key<Row>) -> ServerError {
        guard taken == key.shape.fullName else { return self }
        return ServerError(code, message, cause: cause, isTransient: false, taken: taken)
    }

    /// Whether another record conflicts with the request.
    ///
    /// Repeating the request doesn't help, but nothing is broken.
    var isConflict: Bool { [.keyTaken, .domainTaken, .inUse].contains(code) }
}

/// Calls the store and converts its errors to ``ServerError``.
package func asking<Answer>(
    _ call: () async throws -> Answer
) async throws(ServerError) -> Answer {
    do {
        return try await call()
    } catch {
        throw ServerError(thrown: error)
    }
}
