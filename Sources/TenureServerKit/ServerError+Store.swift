import TenureCore
public import TenureStore

extension ServerError {
    /// Passes on what the store could not do.
    ///
    /// What others may act upon keeps its code: what may be tried again, that something is in use, and what a table says
    /// that it means when another row has the values of a key.
    public init(_ error: StoreError) {
        // A full disk needs the operator; the client's request is as good as ever once there is room.
        let isTransient = error.isTransient || error.code == .full
        let told: Code =
            isTransient
            ? Code(error.code.text) : error.code == .inUse ? .inUse : error.meaning.map { Code($0) } ?? .store
        self.init(
            told, error.message, cause: error.description, isTransient: isTransient,
            taken: error.taken)
    }

    /// The same failure in words for whoever asked, where another row has the values of this key.
    package func told<Row>(_ code: Code, _ message: String, where key: Key<Row>) -> ServerError {
        guard taken == key.shape.fullName else { return self }
        return ServerError(code, message, cause: cause, isTransient: false, taken: taken)
    }

    /// Whether another record stands in the way, which only another request can help: nothing is broken.
    var isConflict: Bool { [.keyTaken, .domainTaken, .inUse].contains(code) }
}

/// Asks the store; what it cannot do becomes the server's error.
package func asking<Answer>(
    _ call: () async throws(StoreError) -> Answer
) async throws(ServerError) -> Answer {
    do throws(StoreError) {
        return try await call()
    } catch {
        throw ServerError(error)
    }
}
