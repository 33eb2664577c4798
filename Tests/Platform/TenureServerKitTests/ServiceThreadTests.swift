import Glibc
import Synchronization
import TenureThreads
import Testing

@testable import TenureServerKit

@Suite struct ServiceThreadTests {
    private final class Order: Sendable {
        private let stored = Mutex<[Int]>([])
        var entries: [Int] { stored.withLock { $0 } }
        func note(_ entry: Int) { stored.withLock { $0.append(entry) } }
    }

    /// The start of a pause, its length, and its end, in milliseconds.
    @Test(arguments: [
        (10_003, 1_000, 11_000), (10_900, 1_000, 11_000), (10_000, 1_000, 11_000),
        (10_003, 2_000, 12_000), (11_900, 2_000, 12_000), (11_003, 2_000, 12_000), (10_003, 1_999, 12_000),
        (10_003, 5_000, 15_000), (11_003, 5_000, 16_000), (11_003, 4_000, 14_000), (11_003, 60_000, 70_000),
        (10_003, 20, 10_023),
        (10_003, 0, 10_003),
    ])
    func `pauses of services are shortened to end together, and don't end later than requested`(
        began: UInt64, length: UInt64, ended: UInt64
    ) {
        let (now, asked) = (SteadyTime(milliseconds: began), SteadyTime(milliseconds: began + length))
        let shared = ServiceThread.sharedTime(for: asked, from: now)
        #expect(shared == SteadyTime(milliseconds: min(ended, began + length)))
    }

    @Test func `tasks run on their service thread, also after a sleep and after waiting for another thread`()
        async throws
    {
        let thread = ServiceThread()
        try thread.start()
        defer { thread.close() }
        let ids = await Task(executorPreference: thread) {
            var ids = [Self.threadID()]
            await thread.sleep(until: .now().advanced(by: .milliseconds(1)))
            ids.append(Self.threadID())
            await Task.detached {}.value
            return ids + [Self.threadID()]
        }.value
        #expect(Set(ids).count == 1)
        #expect(ids[0] != Self.threadID())
    }

    @Test func `tasks that sleep on a service thread wake in the order of their times`() async throws {
        let thread = ServiceThread()
        try thread.start()
        defer { thread.close() }
        let order = Order()
        let now = SteadyTime.now()
        await withTaskGroup { group in
            for index in [3, 1, 2] {
                group.addTask(executorPreference: thread) {
                    await thread.sleep(until: now.advanced(by: .milliseconds(index * 20)))
                    order.note(index)
                }
            }
        }
        #expect(order.entries == [1, 2, 3])
        #expect(now.advanced(by: .milliseconds(60)).hasCome)
    }

    @Test(arguments: [true, false])
    func `a sleep ends when its task is cancelled, or is skipped if the task already was`(isCancelledBefore: Bool)
        async throws
    {
        let thread = ServiceThread()
        try thread.start()
        defer { thread.close() }
        let task = Task(executorPreference: thread) {
            if isCancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
            await thread.sleep(until: .never)
        }
        if !isCancelledBefore { task.cancel() }
        await task.value
    }

    private static func threadID() -> pthread_t { pthread_self() }
}

extension SteadyTime {
    fileprivate init(milliseconds: UInt64) { self.init(nanoseconds: milliseconds * 1_000_000) }
}
