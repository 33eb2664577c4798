import Synchronization
import TenureServerKit
import TenureTesting
import Testing

@Suite struct RateLimiterTests {
    let clock = ManualSteadyClock()
    let queue: RateLimiter<String, String>

    init() { queue = RateLimiter(perMinute: 60, waiting: 100, by: clock) }

    /// Records the callers that got a turn.
    final class Came: Sendable {
        let names = Mutex<[String]>([])
    }

    /// Uses all turns of one minute.
    func exhaust() {
        for _ in 0..<60 { #expect(queue.takeNow(in: "a")) }
        #expect(!queue.takeNow(in: "a"))
    }

    @Test func `a rate limiter of 60 per minute admits 60 requests without a wait, and then one per second`() {
        exhaust()
        clock.advance(by: .seconds(1))
        #expect(queue.takeNow(in: "a"))
        #expect(!queue.takeNow(in: "a"))
        clock.advance(by: .seconds(3600))
        exhaust()
    }

    @Test func `each group of requests has its own rate limit, and an unused turn can be returned to the group`() {
        exhaust()
        #expect(queue.takeNow(in: "b"))
        queue.giveBack(in: "a")
        #expect(queue.takeNow(in: "a"))
        #expect(!queue.takeNow(in: "a"))
    }

    @Test func `a caller's single request is admitted before the third request that another caller queued earlier`()
        async throws
    {
        exhaust()
        let came = Came()
        var tasks: [Task<Void, any Error>] = []
        for (number, name) in ["much", "much", "much", "little"].enumerated() {
            tasks.append(
                Task { [turns = queue] in
                    try await turns.take(in: "a", as: name)
                    came.names.withLock { $0.append(name) }
                })
            while queue.inLine(in: "a") < number { await Task.yield() }
            _ = await clock.sleepers(1)
        }
        for count in 1...4 {
            #expect(await clock.sleepers(1) == [.seconds(1)])
            #expect(!queue.takeNow(in: "a"))
            clock.advance(by: .seconds(1))
            while came.names.withLock({ $0.count }) < count { await Task.yield() }
        }
        for task in tasks { try await task.value }
        #expect(came.names.withLock { $0 } == ["much", "much", "little", "much"])
    }

    @Test func `too many waiting requests of one caller are refused, and another caller's request is admitted`()
        async throws
    {
        exhaust()
        let flood = (0..<40).map { _ in Task { [turns = queue] in try await turns.take(in: "a", as: "flood") } }
        // One caller has its turn and sixteen wait.
        while queue.waiting(in: "a") != 17 { await Task.yield() }
        let other = Task { [turns = queue] in try await turns.take(in: "a", as: "other") }
        while queue.waiting(in: "a") != 18 { await Task.yield() }
        for _ in 0..<18 {
            _ = await clock.sleepers(1)
            let before = queue.waiting(in: "a")
            clock.advance(by: .seconds(1))
            while queue.waiting(in: "a") == before { await Task.yield() }
        }
        try await other.value
        var refused = 0
        for task in flood {
            if case .failure(let error) = await task.result {
                #expect((error as? ServerError)?.isTransient == true)
                refused += 1
            }
        }
        #expect(refused == 23)
    }

    @Test func `all groups of a rate limiter share one limit on waiting requests`() async throws {
        let queue = RateLimiter<String, Int>(perMinute: 1, waiting: 3, by: clock)
        for group in ["a", "b"] { #expect(queue.takeNow(in: group)) }
        let waiting = [("a", 1), ("b", 2), ("a", 3)].map { group, name in
            Task { [turns = queue] in try await turns.take(in: group, as: name) }
        }
        while queue.waiting(in: "a") + queue.waiting(in: "b") < 3 { await Task.yield() }
        await #expect(throws: ServerError.self) { try await queue.take(in: "b", as: 4) }
        // A group without waiting callers isn't delayed.
        #expect(queue.takeNow(in: "c"))
        for task in waiting { task.cancel() }
        for task in waiting { _ = await task.result }
        #expect(queue.waiting(in: "a") + queue.waiting(in: "b") == 0)
    }

    @Test func `a waiting caller that is cancelled leaves the rate limiter's queue`() async throws {
        exhaust()
        let task = Task { [turns = queue] in try await turns.take(in: "a", as: "one") }
        _ = await clock.sleepers(1)
        task.cancel()
        await #expect(throws: ServerError.self) { try await task.value }
        #expect(queue.waiting(in: "a") == 0)
        clock.advance(by: .seconds(1))
        #expect(queue.takeNow(in: "a"))
    }
}
