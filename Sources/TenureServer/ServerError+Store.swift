public import TenureStore

extension ServerError {
    /// Passes on what the store could not do.
    ///
    /// What others may act upon keeps its code: what may be tried again, and what another record stands in the way of.
    public init(_ error: StoreError) {
        let isTold = error.isTransient || Self.conflicts.contains(error.code)
        self.init(
            isTold ? Code(error.code.text) : .store, error.message, cause: error.description,
            isTransient: error.isTransient)
    }

    /// Whether another record stands in the way, which only another request can help: nothing is broken.
    var isConflict: Bool { Self.conflicts.contains { $0.text == code.text } }

    private static let conflicts: [StoreError.Code] = [.keyTaken, .domainTaken, .inUse]
}

/// Asks the store; what it cannot do becomes the server's error.
func asking<Answer>(
    _ call: () async throws(StoreError) -> Answer
) async throws(ServerError) -> Answer {
    do throws(StoreError) {
        return try await call()
    } catch {
        throw ServerError(error)
    }
}
