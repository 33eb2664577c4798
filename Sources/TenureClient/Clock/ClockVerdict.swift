package import TenureCore

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
