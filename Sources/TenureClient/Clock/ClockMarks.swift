package import TenureCore

/// What is remembered about time, and what follows from it; see `Documentation/time.md`.
package struct ClockMarks: Sendable, Hashable, Codable {
    /// The latest trusted time that was written down: the high-water mark.
    package private(set) var time: Moment
    /// What the clocks said then.
    package private(set) var reading: ClockReading
    /// By how many seconds the wall clock was behind the server's when the server last told the time; negative when
    /// it was ahead, 0 when no server ever told.
    package private(set) var error: Int64
    /// The newest time that a server signed.
    package private(set) var signed: Moment?

    /// How far a clock may stand back before it counts as set back, in seconds (`spec/keylight.md` §1.4).
    package static let tolerance: Int64 = 3_600

    /// How far time may have leapt across a restart and still be written down, in seconds: 30 days. A longer leap is
    /// believed while it lasts; if it was a wrong clock, setting it right is then enough.
    package static let farthestLeap: Int64 = 30 * 86_400

    /// Remembers the first look at a clock: there is nothing to doubt it with.
    package init(_ reading: ClockReading) {
        time = reading.wall
        self.reading = reading
        error = 0
    }

    /// Decides what time it is.
    ///
    /// While the system runs, the mark plus what its uptime counted, whatever the wall clock says. After a restart,
    /// the wall clock, either as it is or with the error that is known of it, but never before the mark.
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

    /// Writes down what was decided, so that time does not go back behind it.
    package mutating func keep(_ trusted: TrustedTime, at now: ClockReading) {
        if now.seconds(since: reading) == nil {
            let leap = time.timestamp.seconds(until: trusted.now)
            guard trusted.verdict == .believed, leap <= Self.farthestLeap else { return }
        }
        time = Moment(trusted.now)
        reading = now
    }

    /// Takes over a server's signed time: the cure for every wrong clock.
    ///
    /// - Parameter isFresh: Whether the answer is bound to the request, by a nonce. One that is not could be an old one
    ///   sent again, and counts only if it is newer than every other.
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
