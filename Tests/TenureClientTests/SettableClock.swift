import Synchronization
import TenureClient
import TenureCore

/// A device's clocks in the hands of a test.
final class SettableClock: DeviceClock {
    private struct Hands {
        var truth = Given.now
        var wallError: Int64 = 0
        var uptime: Int64 = 5_000
        var boots = 1
        var boot: String { "boot-\(boots)" }
    }

    private let hands = Mutex(Hands())

    func read() -> ClockReading {
        hands.withLock {
            ClockReading(wall: $0.truth.adding(seconds: $0.wallError), uptime: $0.uptime, boot: $0.boot)
        }
    }

    /// What time it really is, as the server knows it.
    var truth: Timestamp { hands.withLock(\.truth) }

    /// Time goes on, whether the system sleeps or not.
    func pass(_ seconds: Int64) {
        hands.withLock {
            $0.truth = $0.truth.adding(seconds: seconds)
            $0.uptime += seconds
        }
    }

    /// Somebody sets the wall clock so many seconds away from what it says.
    func turnWall(by seconds: Int64) { hands.withLock { $0.wallError += seconds } }

    /// Somebody sets the wall clock right.
    func setWallRight() { hands.withLock { $0.wallError = 0 } }

    /// The system is off for so long, and starts.
    func restart(after seconds: Int64 = 60) {
        hands.withLock {
            $0.truth = $0.truth.adding(seconds: seconds)
            $0.uptime = 20
            $0.boots += 1
        }
    }
}
