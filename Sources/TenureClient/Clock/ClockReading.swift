package import TenureCore

/// What the clocks of a device say at one moment.
package struct ClockReading: Sendable, Hashable, Codable {
    /// The clock on the wall, which anybody can set.
    package let wall: Moment
    /// Seconds since the system started, suspension included; nobody can set it.
    package let uptime: Int64
    /// Names the start of the system that `uptime` counts from; empty when the system does not say.
    package let boot: String

    /// Puts a reading together.
    package init(wall: Timestamp, uptime: Int64, boot: String) {
        self.wall = Moment(wall)
        self.uptime = uptime
        self.boot = boot
    }

    /// The seconds that passed since an earlier reading, as nobody can change them; nil when the system was started
    /// anew between them, or does not say.
    package func seconds(since earlier: ClockReading) -> Int64? {
        guard !boot.isEmpty, boot == earlier.boot, uptime >= earlier.uptime else { return nil }
        return uptime - earlier.uptime
    }
}
