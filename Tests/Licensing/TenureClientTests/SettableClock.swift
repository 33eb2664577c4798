import Foundation
import TenureClient
import TenureCore

/// A device's clocks, controlled by a test.
final class SettableClock: DeviceClock, @unchecked Sendable {
    // Sendable because `lock` guards `hands`.
    private let lock = NSLock()
    private struct Hands {
        var truth = Given.now
        var wallError: Int64 = 0
        var uptime: Int64 = 5_000
        var boots = 1
        var boot: String { "boot-\(boots)" }
    }

    private var hands = Hands()

    func read() -> ClockReading {
        lock.withLock {
            ClockReading(wall: hands.truth.adding(seconds: hands.wallError), uptime: hands.uptime, boot: hands.boot)
        }
    }

    /// The true time, as the server knows it.
    var truth: Timestamp { lock.withLock { hands.truth } }

    /// Lets time pass, whether the device is awake or asleep.
    func pass(_ seconds: Int64) {
        lock.withLock {
            hands.truth = hands.truth.adding(seconds: seconds)
            hands.uptime += seconds
        }
    }

    /// Moves the server's time without moving the device's clocks.
    func jumpServer(by seconds: Int64) {
        lock.withLock {
            hands.truth = hands.truth.adding(seconds: seconds)
            hands.wallError -= seconds
        }
    }

    /// Moves the wall clock by this many seconds.
    func turnWall(by seconds: Int64) { lock.withLock { hands.wallError += seconds } }

    /// Corrects the wall clock.
    func setWallRight() { lock.withLock { hands.wallError = 0 } }

    /// Turns the device off for this many seconds and starts it again.
    func restart(after seconds: Int64 = 60) {
        lock.withLock {
            hands.truth = hands.truth.adding(seconds: seconds)
            hands.uptime = 20
            hands.boots += 1
        }
    }
}
