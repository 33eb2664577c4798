public import TenureStore

extension ServerError {
    /// Passes on what the store could not do.
    public init(_ error: StoreError) {
        self.init(
            error.isTransient ? Code(error.code.text) : .store, error.message, cause: error.description,
            isTransient: error.isTransient)
    }
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
