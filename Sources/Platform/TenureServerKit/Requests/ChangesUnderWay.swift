import Synchronization

/// Limits how many requests that change something run at once, so that reads and refreshes have capacity left.
package final class ChangesUnderWay: Sendable {
    private let count = Atomic<Int>(0)
    private let limit: Int

    /// Allows `limit` changes at once, but at least one.
    package init(atOnce limit: Int) {
        self.limit = max(1, limit)
    }

    /// Counts one more change, or returns false without counting it if the limit is reached.
    func begins() -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= limit { return true }
        end()
        return false
    }

    func end() { count.subtract(1, ordering: .relaxed) }
}
