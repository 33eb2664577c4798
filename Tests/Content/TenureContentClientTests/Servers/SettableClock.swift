import Foundation
import TenureClient
import TenureContentClient
import TenureCore

/// A device's clocks, controlled by a test. A caller's pause lets time pass immediately, and its alarm fires when the
/// test calls `ring()`.
final class SettableClock: DeviceClock, @unchecked Sendable {
    // Sendable because `lock` guards `hands`.
    private let lock = NSLock()
    private struct Hands {
        var truth = Given.now
        var millis: Int64 = 0
        var wallError: Int64 = 0
        var uptime: Int64 = 5_000
        var boots = 1
        var slept: [Duration] = []
        var alarms: [Duration] = []
        var rings = false
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private var hands = Hands()

    func read() -> ClockReading {
        lock.withLock {
            ClockReading(
                wall: hands.truth.adding(seconds: hands.wallError), uptime: hands.uptime, boot: "boot-\(hands.boots)")
        }
    }

    /// The true time, as the server knows it.
    var truth: Timestamp { lock.withLock { hands.truth } }

    /// Lets time pass, whether the device is awake or asleep.
    func pass(_ seconds: Int64) { pass(millis: seconds * 1_000) }

    func pass(millis: Int64) {
        lock.withLock {
            let whole = (hands.millis + millis) / 1_000 - hands.millis / 1_000
            hands.millis += millis
            hands.truth = hands.truth.adding(seconds: whole)
            hands.uptime += whole
        }
    }

    /// Moves the wall clock by this many seconds.
    func turnWall(by seconds: Int64) { lock.withLock { hands.wallError += seconds } }

    /// Turns the device off for this many seconds and starts it again.
    func restart(after seconds: Int64 = 60) {
        lock.withLock {
            hands.truth = hands.truth.adding(seconds: seconds)
            hands.uptime = 20
            hands.boots += 1
        }
    }

    /// The pauses so far. Each one let time pass.
    var slept: [Duration] { lock.withLock { hands.slept } }

    /// The alarms that were set. They fire when the test calls `ring()`.
    var alarms: [Duration] { lock.withLock { hands.alarms } }

    /// Fires all alarms, now and later.
    func ring() {
        let waiting = lock.withLock {
            hands.rings = true
            defer { hands.waiting = [] }
            return hands.waiting
        }
        for one in waiting { one.finish() }
    }

    private func alarm(_ duration: Duration) async throws {
        let (stream, bell) = AsyncStream<Void>.makeStream()
        let rings = lock.withLock {
            hands.alarms.append(duration)
            hands.waiting.append(bell)
            return hands.rings
        }
        if rings { return }
        for await _ in stream {}
        try Task.checkCancellation()
    }

    /// Clocks for a library. A pause lets time pass immediately; an alarm fires when the test calls `ring()`.
    var clocks: ContentClocks {
        ContentClocks(
            device: self, millis: { self.lock.withLock { self.hands.millis } },
            sleep: { duration in
                self.lock.withLock { self.hands.slept.append(duration) }
                self.pass(millis: Int64(duration / .milliseconds(1)))
            }, idle: { try await self.alarm($0) }, random: { $0 })
    }
}
