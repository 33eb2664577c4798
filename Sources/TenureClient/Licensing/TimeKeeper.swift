import Foundation
package import TenureCore

/// Trusted time for whoever needs it outside the engine.
package final class TimeKeeper: @unchecked Sendable {
    // Sendable by `lock`, which guards `marks`.
    private let lock = NSLock()
    private var marks: ClockMarks?
    private let clock: any DeviceClock

    /// Begins without marks: the wall clock is believed.
    package init(_ clock: any DeviceClock) { self.clock = clock }

    /// Trusted time now.
    package func now() -> Timestamp {
        TrustedTime(clock.read(), marks: lock.withLock { marks }).now
    }

    /// Takes over what the engine knows.
    func take(_ marks: ClockMarks?) {
        lock.withLock { self.marks = marks }
    }
}
