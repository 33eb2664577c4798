import Synchronization

/// Counts the changes that a server is about, so that they leave room for reads and refreshes.
package final class ChangesUnderWay: Sendable {
    private let count = Atomic<Int>(0)
    private let limit: Int

    /// Lets so many be under way at once; at least one.
    package init(atOnce limit: Int) {
        self.limit = max(1, limit)
    }

    /// Counts one more, unless there are as many as there may be.
    func begins() -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= limit { return true }
        end()
        return false
    }

    func end() { count.subtract(1, ordering: .relaxed) }
}
