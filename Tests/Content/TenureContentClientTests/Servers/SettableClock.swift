import Foundation
import TenureClient
import TenureContentClient
import TenureCore

/// A device's clocks in the hands of a test. Whoever waits by it waits until the test lets time pass.
final class SettableClock: DeviceClock, @unchecked Sendable {
    // Sendable by `lock`, which guards `hands`.
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

    /// What time it really is, as the server knows it.
    var truth: Timestamp { lock.withLock { hands.truth } }

    /// Time goes on, whether the system sleeps or not.
    func pass(_ seconds: Int64) { pass(millis: seconds * 1_000) }

    func pass(millis: Int64) {
        lock.withLock {
            let whole = (hands.millis + millis) / 1_000 - hands.millis / 1_000
            hands.millis += millis
            hands.truth = hands.truth.adding(seconds: whole)
            hands.uptime += whole
        }
    }

    /// Somebody sets the wall clock so many seconds away from what it says.
    func turnWall(by seconds: Int64) { lock.withLock { hands.wallError += seconds } }

    /// The system is off for so long, and starts.
    func restart(after seconds: Int64 = 60) {
        lock.withLock {
            hands.truth = hands.truth.adding(seconds: seconds)
            hands.uptime = 20
            hands.boots += 1
        }
    }

    /// The pauses that were made; each of them let the time pass.
    var slept: [Duration] { lock.withLock { hands.slept } }

    /// The alarms that were set, and go off when the test rings.
    var alarms: [Duration] { lock.withLock { hands.alarms } }

    /// Lets whoever waited long enough go on, now and from now on.
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

    /// Clocks for a library. A wait lets the time pass at once; an alarm goes off when the test rings.
    var clocks: ContentClocks {
        ContentClocks(
            device: self, millis: { self.lock.withLock { self.hands.millis } },
            sleep: { duration in
                self.lock.withLock { self.hands.slept.append(duration) }
                self.pass(millis: Int64(duration / .milliseconds(1)))
            }, idle: { try await self.alarm($0) }, random: { $0 })
    }
}
