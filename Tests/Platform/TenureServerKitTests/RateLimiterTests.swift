import Synchronization
import TenureServerKit
import TenureTesting
import Testing

@Suite struct PacedTurnsTests {
    let clock = ManualSteadyClock()
    let turns: RateLimiter<String, String>

    init() { turns = RateLimiter(perMinute: 60, waiting: 100, by: clock) }

    /// Records who got a turn.
    final class Came: Sendable {
        let names = Mutex<[String]>([])
    }

    /// Uses all turns of one minute.
    func exhaust() {
        for _ in 0..<60 { #expect(turns.takeNow(in: "a")) }
        #expect(!turns.takeNow(in: "a"))
    }

    @Test func `a minute's turns are there at once, and come back one by one`() {
        exhaust()
        clock.advance(by: .seconds(1))
        #expect(turns.takeNow(in: "a"))
        #expect(!turns.takeNow(in: "a"))
        clock.advance(by: .seconds(3600))
        exhaust()
    }

    @Test func `one group's turns are not another's, and one that was not needed comes back`() {
        exhaust()
        #expect(turns.takeNow(in: "b"))
        turns.giveBack(in: "a")
        #expect(turns.takeNow(in: "a"))
        #expect(!turns.takeNow(in: "a"))
    }

    @Test func `whoever asks much waits behind whoever asks little, and nobody passes those who wait`() async throws {
        exhaust()
        let came = Came()
        var tasks: [Task<Void, any Error>] = []
        for (number, name) in ["much", "much", "much", "little"].enumerated() {
            tasks.append(
                Task { [turns] in
                    try await turns.take(in: "a", as: name)
                    came.names.withLock { $0.append(name) }
                })
            while turns.inLine(in: "a") < number { await Task.yield() }
            _ = await clock.sleepers(1)
        }
        for count in 1...4 {
            #expect(await clock.sleepers(1) == [.seconds(1)])
            #expect(!turns.takeNow(in: "a"))
            clock.advance(by: .seconds(1))
            while came.names.withLock({ $0.count }) < count { await Task.yield() }
        }
        for task in tasks { try await task.value }
        #expect(came.names.withLock { $0 } == ["much", "much", "little", "much"])
    }

    @Test func `too many under one name are told so, and others are let in`() async throws {
        exhaust()
        let flood = (0..<40).map { _ in Task { [turns] in try await turns.take(in: "a", as: "flood") } }
        // One caller has its turn and sixteen wait.
        while turns.waiting(in: "a") != 17 { await Task.yield() }
        let other = Task { [turns] in try await turns.take(in: "a", as: "other") }
        while turns.waiting(in: "a") != 18 { await Task.yield() }
        for _ in 0..<18 {
            _ = await clock.sleepers(1)
            let before = turns.waiting(in: "a")
            clock.advance(by: .seconds(1))
            while turns.waiting(in: "a") == before { await Task.yield() }
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

    @Test func `no more wait than may, whatever they wait for`() async throws {
        let turns = RateLimiter<String, Int>(perMinute: 1, waiting: 3, by: clock)
        for group in ["a", "b"] { #expect(turns.takeNow(in: group)) }
        let waiting = [("a", 1), ("b", 2), ("a", 3)].map { group, name in
            Task { [turns] in try await turns.take(in: group, as: name) }
        }
        while turns.waiting(in: "a") + turns.waiting(in: "b") < 3 { await Task.yield() }
        await #expect(throws: ServerError.self) { try await turns.take(in: "b", as: 4) }
        // A group without waiting callers isn't delayed.
        #expect(turns.takeNow(in: "c"))
        for task in waiting { task.cancel() }
        for task in waiting { _ = await task.result }
        #expect(turns.waiting(in: "a") + turns.waiting(in: "b") == 0)
    }

    @Test func `whoever gives up leaves the line`() async throws {
        exhaust()
        let task = Task { [turns] in try await turns.take(in: "a", as: "one") }
        _ = await clock.sleepers(1)
        task.cancel()
        await #expect(throws: ServerError.self) { try await task.value }
        #expect(turns.waiting(in: "a") == 0)
        clock.advance(by: .seconds(1))
        #expect(turns.takeNow(in: "a"))
    }
}
