package import TenureCore

/// What the client remembers about time, from which it derives trusted time; see `Documentation/time.md`.
package struct ClockMarks: Sendable, Hashable, Codable {
    /// The latest trusted time that was stored: the high-water mark.
    package private(set) var time: Moment
    /// The device's clocks when ``time`` was stored.
    package private(set) var reading: ClockReading
    /// How many seconds the wall clock was behind the server's when the server last sent the time.
    ///
    /// Negative if the wall clock was ahead; 0 if no server has sent the time.
    package private(set) var error: Int64
    /// The time that a server signed last; `nil` if no server has signed one.
    package private(set) var signed: Moment?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case time = "time"
        case reading = "reading"
        case error = "error"
        case signed = "signed"
    }

    /// How far back a clock may be before it counts as set back, in seconds; see `Documentation/time.md`.
    package static let tolerance: Int64 = 3_600

    /// The longest leap of time across a restart that is still stored, in seconds: 30 days.
    ///
    /// A longer leap is accepted but not stored. If the clock was wrong, setting it right is then enough.
    package static let farthestLeap: Int64 = 30 * 86_400

    /// Creates the marks of a first reading of the clocks, which is accepted as it is.
    package init(_ reading: ClockReading) {
        time = reading.wall
        self.reading = reading
        error = 0
    }

    /// Derives trusted time from a reading of the clocks.
    ///
    /// While the system has been running, it is the mark plus the elapsed uptime, whatever the wall clock says. After a
    /// restart, it is the wall clock, either as it is or corrected by ``error``, but never earlier than the mark.
    package func judge(_ now: ClockReading) -> TrustedTime {
        let wall = now.wall.timestamp
        let guesses = [wall, wall.adding(seconds: error)]
        if let passed = now.seconds(since: reading) {
            let time = time.timestamp.adding(seconds: passed)
            return TrustedTime(time, wall: wall, isBehind: !guesses.contains { Self.fits($0, after: time) })
        }
        let mark = time.timestamp
        let fitting = guesses.filter { Self.fits($0, after: mark) }.min()
        return TrustedTime(fitting.map { max($0, mark) } ?? mark, wall: wall, isBehind: fitting == nil)
    }

    /// Stores trusted time as the new mark, so that time never goes back before it.
    package mutating func keep(_ trusted: TrustedTime, at now: ClockReading) {
        if now.seconds(since: reading) == nil {
            let leap = time.timestamp.seconds(until: trusted.now)
            guard trusted.verdict == .believed, leap <= Self.farthestLeap else { return }
        }
        time = Moment(trusted.now)
        reading = now
    }

    /// Stores a server's signed time, which corrects any wrong clock.
    ///
    /// - Parameter isFresh: Whether the response is bound to the request by a nonce. Any other response could be a
    ///   replay, so it counts only if it is newer than all earlier ones.
    package mutating func take(_ serverTime: Moment, isFresh: Bool, at now: ClockReading) {
        if !isFresh, let signed, serverTime <= signed { return }
        time = serverTime
        reading = now
        error = now.wall.timestamp.seconds(until: serverTime.timestamp)
        signed = serverTime
    }

    private static func fits(_ guess: Timestamp, after mark: Timestamp) -> Bool {
        guess >= mark.adding(seconds: -tolerance)
    }
}

/// The readings of a device's clocks at one moment.
package struct ClockReading: Sendable, Hashable, Codable {
    /// The wall clock, which the user can set.
    package let wall: Moment
    /// Seconds since the system started, including suspension; can't be set.
    package let uptime: Int64
    /// Identifies the boot that `uptime` counts from; empty if the system doesn't report one.
    package let boot: String

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case wall = "wall"
        case uptime = "uptime"
        case boot = "boot"
    }

    package init(wall: Timestamp, uptime: Int64, boot: String) {
        self.wall = Moment(wall)
        self.uptime = uptime
        self.boot = boot
    }

    /// The seconds since an earlier reading, measured by uptime.
    ///
    /// `nil` if the system has restarted in between or doesn't identify its boots.
    package func seconds(since earlier: ClockReading) -> Int64? {
        guard !boot.isEmpty, boot == earlier.boot, uptime >= earlier.uptime else { return nil }
        return uptime - earlier.uptime
    }
}
