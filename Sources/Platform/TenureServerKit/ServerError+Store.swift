import TenureCommandLine
import TenureCore
public import TenureStore

extension ServerError: StoreFailure {
    /// Converts an error of the store.
    ///
    /// The code is preserved where callers act on it: for transient errors, a full disk, a read-only store, `in_use`,
    /// and duplicate keys whose table declares a code. All others become ``Code/store``.
    public init(_ error: StoreError) {
        // These need the operator, but the client's request can succeed once there is space, or another primary.
        let isTransient = error.isTransient || error.code == .full || error.code == .readOnly
        let code: Code =
            isTransient
            ? Code(error.code.text) : error.code == .inUse ? .inUse : error.meaning.map { Code($0) } ?? .store
        // The description has the message already, so a cause with it would say everything twice.
        let cause =
            code.text == error.code.text
            ? error.cause : error.code.text + (error.cause.map { ": \($0)" } ?? "")
        self.init(code, error.message, cause: cause, isTransient: isTransient, taken: error.taken)
    }

    /// Converts an error of any type; a ``ServerError`` stays as it is.
    package init(thrown error: any Error) {
        self = error as? ServerError ?? ServerError(StoreError(thrown: error))
    }

    /// Returns the error with this code and message if a duplicate value of this key caused it; otherwise unchanged.
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
