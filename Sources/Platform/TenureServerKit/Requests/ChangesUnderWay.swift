import Synchronization

/// Limits the number of concurrent changes, so that reads and refreshes have capacity left.
package final class ChangesUnderWay: Sendable {
    private let count = Atomic<Int>(0)
    private let limit: Int

    /// Allows up to `limit` changes at once, at least one.
    package init(atOnce limit: Int) {
        self.limit = max(1, limit)
    }

    /// Counts one more change; returns false if the limit is reached.
    func begins() -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= limit { return true }
        end()
        return false
    }

    func end() { count.subtract(1, ordering: .relaxed) }
}
