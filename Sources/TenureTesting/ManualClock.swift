import Synchronization
public import TenureCore
public import TenureServerKit

/// A clock that moves only when a test moves it.
public final class ManualClock: WallClock {
    private let moment: Mutex<Timestamp>

    /// Stands at a moment.
    public init(at moment: Timestamp) {
        self.moment = Mutex(moment)
    }

    /// The moment it stands at.
    public func now() -> Timestamp { moment.withLock { $0 } }

    /// Moves by seconds, backwards when negative.
    public func advance(seconds: Int64) {
        moment.withLock { $0 = $0.adding(seconds: seconds) }
    }

    /// Moves by days of 86,400 s, backwards when negative.
    public func advance(days: Int) {
        moment.withLock { $0 = $0.adding(days: days) }
    }
}
