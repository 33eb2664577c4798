import Foundation
package import TenureCore

/// What time it is, as far as the device can know.
package struct TrustedTime: Sendable, Hashable {
    /// The time to decide with.
    package let now: Timestamp
    /// Whether the wall clock agrees.
    package let verdict: ClockVerdict

    /// Pairs the two.
    package init(_ now: Timestamp, wall: Timestamp, isBehind: Bool) {
        self.now = now
        verdict = isBehind ? .setBack(ClockEvidence(wall: wall, trusted: now)) : .believed
    }

    /// Reads the clocks against what is remembered; without marks, the wall clock is all there is.
    package init(_ reading: ClockReading, marks: ClockMarks?) {
        self =
            marks?.judge(reading) ?? TrustedTime(reading.wall.timestamp, wall: reading.wall.timestamp, isBehind: false)
    }
}

/// Whether the device's clock can be believed.
package enum ClockVerdict: Sendable, Hashable {
    /// It can, or what is wrong with it is known.
    case believed
    /// It stands further back than tolerated.
    case setBack(ClockEvidence)
}

/// What shows that a clock was set back.
package struct ClockEvidence: Sendable, Hashable {
    /// What the clock says.
    package let wall: Timestamp
    /// What it is at least.
    package let trusted: Timestamp

    /// Keeps the two moments.
    package init(wall: Timestamp, trusted: Timestamp) {
        self.wall = wall
        self.trusted = trusted
    }
}

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
