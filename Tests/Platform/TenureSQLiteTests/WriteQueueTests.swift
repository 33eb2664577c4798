import TenureStore
import Testing

/// Tests the order in which the writer of each engine processes waiting work.
@Suite struct WriteQueueTests {
    @Test func `changes that yield to others are saved as one group when no other changes are queued`() {
        var queue = WriteQueue()
        for number in 0..<256 { queue.add(Waiting(number, yields: true)) }
        queue.add(Waiting(1000))
        queue.add(Waiting(1001))
        #expect(numbers(queue.next()) == [1000, 1001])
        #expect(numbers(queue.next()) == Array(0..<256))
        #expect(queue.next() == nil)
    }

    @Test func `a change that arrives while a group that yields to others is saved goes next`() {
        var queue = WriteQueue()
        for number in 0..<600 { queue.add(Waiting(number, yields: true)) }
        #expect(numbers(queue.next()) == Array(0..<256))
        queue.add(Waiting(1000))
        #expect(numbers(queue.next()) == [1000])
        #expect(numbers(queue.next()) == Array(256..<512))
    }

    @Test func `a change that yields to others runs after at most 64 groups of other changes`() {
        var queue = WriteQueue()
        queue.add(Waiting(7, yields: true))
        var groups = 0
        while true {
            queue.add(Waiting(1000))
            groups += 1
            if numbers(queue.next()) == [7] { break }
            guard groups < 1000 else {
                Issue.record("the yielding change never ran")
                return
            }
        }
        #expect(groups == 65)
    }

    @Test func `changes that are put back into the write queue come before those that wait in it`() {
        var queue = WriteQueue()
        queue.add(Waiting(2))
        queue.add(Waiting(4, yields: true))
        queue.putBack([Waiting(1), Waiting(3, yields: true)])
        #expect(numbers(queue.next()) == [1, 2])
        #expect(numbers(queue.next()) == [3, 4])
    }

    /// Returns the numbers of a group of changes, or `nil` for other work.
    private func numbers(_ work: WriteQueue.Work?) -> [Int]? {
        guard case .changes(let changes)? = work else { return nil }
        return changes.compactMap { ($0 as? Waiting)?.number }
    }
}

private struct Waiting: WaitingChange {
    let number: Int
    let yields: Bool
    let isLate = false
    let bound = Waiting.plan.bind()

    init(_ number: Int, yields: Bool = false) {
        self.number = number
        self.yields = yields
    }

    func decide(_: QueryResult) -> [RowWrite] { [] }

    private static let plan = QueryPlan { _ in }

    func resume(_: StoreError?) {}
}
