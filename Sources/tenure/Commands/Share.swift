import Synchronization

/// Turns "so much is done" into "so much more is done", as a progress bar wants it.
final class Share: Sendable {
    private let reached = Atomic<Int>(0)

    /// How much further than the last time; never negative.
    func advance(to now: Int) -> Int {
        max(0, now - reached.exchange(now, ordering: .relaxed))
    }
}
