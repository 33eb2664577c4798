import Foundation
import TenureClient
import TenureCore
import Testing

/// An app that runs without user interaction.
@MainActor @Suite struct IdleTests {
    /// Sleeps by advancing the simulated time, and records the length of each sleep.
    private final class Sleeper: @unchecked Sendable {
        // Sendable because `lock` guards both variables.
        private let lock = NSLock()
        private var naps: [Int64] = []
        private let clock: SettableClock
        private let most: Int

        init(_ clock: SettableClock, most: Int) {
            self.clock = clock
            self.most = most
        }

        func sleep(_ duration: Duration) throws {
            let seconds = duration.components.seconds
            let count = lock.withLock {
                naps.append(seconds)
                return naps.count
            }
            guard count <= most else { throw CancellationError() }
            clock.pass(seconds)
        }

        var all: [Int64] { lock.withLock { naps } }
    }

    private func run(_ app: App, naps: Int, isInForeground: Bool = true) async -> [Int64] {
        let sleeper = Sleeper(app.clock, most: naps)
        let done = AsyncStream<Void>.makeStream()
        let manager = app.start { duration in
            do { try sleeper.sleep(duration) } catch {
                done.continuation.finish()
                // Waits until the test cancels the run.
                try await Task.sleep(for: .seconds(3_600))
            }
        }
        manager.isInForeground = isInForeground
        await manager.launch()
        let running = Task { await manager.run() }
        for await _ in done.stream {}
        running.cancel()
        await running.value
        return sleeper.all
    }

    @Test func `a licensed app wakes once for each lease, an hour before its end, with one request`() async throws {
        let app = App()
        app.issue()
        try await app.launch().activate("KEY-A")
        let before = app.vendor.requests.count
        let naps = await run(app, naps: 4)
        #expect(naps == Array(repeating: 7 * Given.day - 3_600, count: 5))
        #expect(app.vendor.requests.dropFirst(before) == ["renew", "renew", "renew", "renew"])
    }

    @Test func `an app in a trial wakes at the end of each day and requests the trial again`() async throws {
        let app = App()
        try await app.launch().startTrial()
        let before = app.vendor.requests.count
        let naps = await run(app, naps: 3)
        #expect(naps == Array(repeating: Given.day, count: 4))
        #expect(app.vendor.requests.dropFirst(before) == ["trial", "trial", "trial"])
    }

    @Test func `an app in the free tier sleeps for years instead of waking to check`() async {
        let app = App()
        app.vendor.change { $0.terms = ProductTerms(trialDays: 0, freeTier: true) }
        #expect(await run(app, naps: 0) == [300_000_000])
    }

    @Test
    func `in the foreground, an offline app checks a lapsed lease again after a second, then at growing intervals`()
        async throws
    {
        let app = App()
        app.issue()
        try await app.launch().activate("KEY-A")
        app.clock.pass(8 * Given.day)
        app.goOffline()
        let before = app.vendor.requests.count
        let naps = await run(app, naps: 20)
        for (delay, gap) in zip(naps, [1, 2, 4, 8, 16, 32] + Array(repeating: 60, count: 6) as [Int64]) {
            #expect((gap - gap / 3...gap + gap / 3).contains(delay))
        }
        #expect(app.vendor.requests.count > before + 12)
        #expect(naps.contains { $0 > 80 }, "after ten minutes, the waits are long")
    }

    @Test func `in the background, an offline app with a due lease wakes at least every six hours and five minutes`()
        async throws
    {
        let app = App()
        app.issue()
        try await app.launch().activate("KEY-A")
        app.goOffline()
        let naps = await run(app, naps: 40, isInForeground: false)
        #expect(naps[0] == 7 * Given.day - 3_600)
        #expect(naps.dropFirst().allSatisfy { $0 > 0 && $0 <= 300 + 21_600 })
        #expect(app.clock.truth > Given.now.adding(days: 8))
    }

    @Test(arguments: [-1, 0, 1] as [Int64])
    func `a refused license is checked again when its refusal is due to end, if that is in the future`(
        days: Int64
    ) async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        app.vendor.change {
            $0.licenses["KEY-A"]?.state = .suspended
            $0.changesAt = Given.after(Given.day + days * Given.day)
        }
        app.clock.pass(Given.day)
        await manager.refreshIfNeeded()
        #expect(manager.state == .invalid)
        let naps = await run(app, naps: days > 0 ? 1 : 0)
        #expect(naps == (days > 0 ? [Given.day, 300_000_000] : [300_000_000]))
    }
}
