import TenureThreads

/// Decides whether a completion asks the store or goes straight to the local journal.
///
/// After a response that was late or missing, one completion per ``retryInterval`` asks the store again, and the others
/// don't wait for it. A response closes the circuit.
struct StoreCircuitBreaker: Sendable {
    /// How long completions leave the store alone after it did not respond.
    static let retryInterval = Duration.seconds(2)

    /// When the next completion may ask; `nil` while the store responds.
    private var retryAt: SteadyTime?

    /// Whether a completion may ask the store now. If this is a retry, the next one is allowed a ``retryInterval`` later.
    mutating func allowsRequest(at now: SteadyTime) -> Bool {
        guard let retryAt else { return true }
        guard now >= retryAt else { return false }
        self.retryAt = now.advanced(by: Self.retryInterval)
        return true
    }

    /// Records whether the store responded in time.
    mutating func recordResponse(_ hasResponded: Bool, at now: SteadyTime) {
        retryAt = hasResponded ? nil : now.advanced(by: Self.retryInterval)
    }
}
