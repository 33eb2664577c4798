package import TenureCore
import TenureThreads

/// The current time, as precisely as the device can determine it.
package struct TrustedTime: Sendable, Hashable {
    /// The trusted time, on which decisions are based; if the clock was set back, the earliest that the true time can
    /// be.
    package let now: Timestamp
    /// Whether the wall clock was set back; one that is ahead of ``now`` is still believed.
    package let verdict: ClockVerdict

    package init(_ now: Timestamp, wall: Timestamp, isBehind: Bool) {
        self.now = now
        verdict = isBehind ? .setBack(ClockEvidence(wall: wall, trusted: now)) : .believed
    }

    /// Derives trusted time from a reading and the stored marks; without marks, it is the wall clock.
    package init(_ reading: ClockReading, marks: ClockMarks?) {
        self =
            marks?.judge(reading) ?? TrustedTime(reading.wall.timestamp, wall: reading.wall.timestamp, isBehind: false)
    }
}

/// Whether the device's clock can be trusted.
package enum ClockVerdict: Sendable, Hashable {
    /// The clock is behind trusted time by at most ``ClockMarks/tolerance``, as it is or after the correction by the
    /// server's time.
    case believed
    /// The clock is further back than ``ClockMarks/tolerance`` allows; the evidence has both times.
    case setBack(ClockEvidence)
}

/// The two times that show that a clock was set back.
package struct ClockEvidence: Sendable, Hashable {
    /// The time that the wall clock shows.
    package let wall: Timestamp
    /// The earliest that the true time can be.
    package let trusted: Timestamp

    package init(wall: Timestamp, trusted: Timestamp) {
        self.wall = wall
        self.trusted = trusted
    }
}

/// Provides trusted time to code outside the engine, from any thread.
package final class ClockTracker: Sendable {
    private let marks = Monitor<ClockMarks?>(nil)
    private let clock: any DeviceClock

    /// Starts without marks, so the wall clock is trusted until the engine has read the record.
    package init(_ clock: any DeviceClock) { self.clock = clock }

    /// Derives trusted time from the clocks and the engine's latest marks.
    package func now() -> Timestamp {
        TrustedTime(clock.read(), marks: marks.withLock { $0 }).now
    }

    /// Whether a response that isn't bound to its request may show that the marks are wrong.
    package func mayCorrectMark(_ serverTime: Timestamp) -> Bool {
        marks.withLock { $0 }?.mayCorrectMark(serverTime, at: clock.read()) ?? false
    }

    /// Replaces the marks; the engine calls this whenever it has read or written the record.
    func take(_ marks: ClockMarks?) {
        self.marks.withLock { $0 = marks }
    }
}
