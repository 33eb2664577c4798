import TenureCommandLine
import TenureCore
public import TenureStore

extension ServerError: StoreFailure {
    /// Converts an error of the store.
    ///
    /// Transient errors, a full disk, a read-only store and `in_use` keep their code. A duplicate value of a key gets
    /// the code that the key's declaration names. Any other error gets ``Code/store``.
    public init(_ error: StoreError) {
        // These errors need the operator, but the client's request can succeed later, with free space or another
        // primary.
        let isTransient = error.isTransient || error.code == .full || error.code == .readOnly
        let code: Code =
            isTransient
            ? Code(error.code.text) : error.code == .inUse ? .inUse : error.meaning.map { Code($0) } ?? .store
        // The description already contains the message, so the cause must not repeat it.
        let cause =
            code.text == error.code.text
            ? error.cause : error.code.text + (error.cause.map { ": \($0)" } ?? "")
        self.init(code, error.message, cause: cause, isTransient: isTransient, taken: error.taken)
    }

    /// Converts an error of any type. A ``ServerError`` is returned unchanged.
    package init(thrown error: any Error) {
        self = error as? ServerError ?? ServerError(StoreError(thrown: error))
    }

    /// Returns the error with another code and message if a duplicate value of a key caused it. Any other error is
    /// returned unchanged.
    package func recoded<Row>(_ code: Code, _ message: String, where key: Key<Row>) -> ServerError {
        guard taken == key.shape.fullName else { return self }
        return ServerError(code, message, cause: cause, isTransient: false, taken: taken)
    }

    /// Whether the request conflicts with another record.
    ///
    /// Repeating the request fails again, but the server isn't at fault.
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

extension StoreError: CommandError.Explained {
    package var explanation: String { message + (cause.map { " (\($0))" } ?? "") }
}

extension ServerError: CommandError.Explained {
    package var explanation: String { message + (cause.map { " (\($0))" } ?? "") }
}
