import Synchronization
public import TenureCore
public import TenureServerKit

/// A clock that moves only when a test moves it, or by a second each time it's read.
public final class ManualClock: WallClock {
    private let time: Mutex<Timestamp>
    private let ticks = Atomic(false)

    /// Creates a clock that shows the given time.
    public init(at time: Timestamp) {
        self.time = Mutex(time)
    }

    /// Returns the clock's time. After ``startTicking()``, the clock then moves by a second.
    public func now() -> Timestamp {
        time.withLock { time in
            defer { if ticks.load(ordering: .relaxed) { time = time.adding(seconds: 1) } }
            return time
        }
    }

    /// From now on, moves the clock by a second each time it's read.
    public func startTicking() { ticks.store(true, ordering: .relaxed) }

    /// Moves the clock by seconds, backwards if negative.
    public func advance(seconds: Int64) {
        time.withLock { $0 = $0.adding(seconds: seconds) }
    }

    /// Moves the clock by days of 86,400 s, backwards if negative.
    public func advance(days: Int) {
        time.withLock { $0 = $0.adding(days: days) }
    }
}
