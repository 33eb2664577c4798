import TenureThreads

/// Decides whether a completion is sent to the store or directly to the local journal.
///
/// After a late or missing response, one completion per ``retryInterval`` tries the store again. The others don't wait
/// for it. Once the store responds in time, all completions use it again.
struct StoreCircuitBreaker: Sendable {
    /// How long completions bypass the store after it didn't respond.
    static let retryInterval = Duration.seconds(2)

    /// When the next completion may try the store; `nil` while the store responds.
    private var retryAt: SteadyTime?

    /// Whether a completion may use the store now.
    ///
    /// If this completion is the retry, the next retry is allowed a ``retryInterval`` later.
    mutating func allowsRequest(at now: SteadyTime) -> Bool {
        guard let retryAt else { return true }
        guard now >= retryAt else { return false }
        self.retryAt = now.advanced(by: Self.retryInterval)
        return true
    }

    mutating func recordResponse(_ hasResponded: Bool, at now: SteadyTime) {
        retryAt = hasResponded ? nil : now.advanced(by: Self.retryInterval)
    }
}
