import Foundation
import TenureClient
import TenureCore

/// A device's clocks in the hands of a test.
final class SettableClock: DeviceClock, @unchecked Sendable {
    // Sendable by `lock`, which guards `hands`.
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

    /// What time it really is, as the server knows it.
    var truth: Timestamp { lock.withLock { hands.truth } }

    /// Time goes on, whether the system sleeps or not.
    func pass(_ seconds: Int64) {
        lock.withLock {
            hands.truth = hands.truth.adding(seconds: seconds)
            hands.uptime += seconds
        }
    }

    /// Somebody sets the wall clock so many seconds away from what it says.
    func turnWall(by seconds: Int64) { lock.withLock { hands.wallError += seconds } }

    /// Somebody sets the wall clock right.
    func setWallRight() { lock.withLock { hands.wallError = 0 } }

    /// The system is off for so long, and starts.
    func restart(after seconds: Int64 = 60) {
        lock.withLock {
            hands.truth = hands.truth.adding(seconds: seconds)
            hands.uptime = 20
            hands.boots += 1
        }
    }
}
