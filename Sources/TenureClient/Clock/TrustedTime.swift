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
