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
    /// The signed time that was accepted last; `nil` if none has been.
    package private(set) var signed: Moment?
    private var running: RunningTime
    /// The signed time minus ``running``: the earliest time at which the device can have started to run; `nil` if no
    /// server has signed a time.
    ///
    /// So the true time is at least this time plus ``running``.
    private var origin: Moment?
    /// The trusted time before a provably old response set it back; `nil` if none has.
    ///
    /// Until a server signs this time or a later one, no other provably old response is accepted. So trusted time can't
    /// be set back repeatedly.
    private var timeBeforeRollback: Moment?
    /// A time from which trusted time is counted until the system restarts, in place of the mark; `nil` if it is
    /// counted from the mark.
    ///
    /// The wall clock had leapt too far ahead, or had been set back, so its time couldn't become the mark.
    private var leap: Leap?

    /// A time that replaces the mark until the system restarts, with the device's clocks at that time.
    private struct Leap: Sendable, Hashable, Codable {
        let time: Moment
        let reading: ClockReading
        /// Whether the wall clock was believed; otherwise, ``time`` is only a lower bound of the true time.
        let isBelieved: Bool

        /// The stored names; never change them.
        private enum CodingKeys: String, CodingKey {
            case time = "time"
            case reading = "reading"
            case isBelieved = "isBelieved"
        }
    }

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case time = "time"
        case reading = "reading"
        case error = "error"
        case signed = "signed"
        case running = "running"
        case origin = "origin"
        case timeBeforeRollback = "overruled"
        case leap = "leap"
    }

    /// How far back a clock may be before it counts as set back, in seconds; see `Documentation/time.md`.
    package static let tolerance: Int64 = 3_600

    /// The longest leap of time across a restart that still becomes the mark, in seconds: 30 days.
    ///
    /// A longer leap applies only until the next restart. So a user whose clock was wrong can correct it by then.
    package static let farthestLeap: Int64 = 30 * 86_400

    /// Creates the marks of a first reading of the clocks, which is accepted as it is.
    package init(_ reading: ClockReading) {
        time = reading.wall
        self.reading = reading
        error = 0
        running = RunningTime(reading)
    }

    /// Derives trusted time from a reading of the clocks.
    ///
    /// Until the system restarts, trusted time is the mark plus the elapsed uptime, whatever the wall clock shows.
    /// After a restart, it's the wall clock, either as it is or corrected by ``error``, but never earlier than the
    /// mark.
    package func judge(_ now: ClockReading) -> TrustedTime {
        let wall = now.wall.timestamp
        let guesses = [wall, wall.adding(seconds: error)]
        if let time = measured(now) {
            return TrustedTime(time, wall: wall, isBehind: !guesses.contains { Self.fits($0, after: time) })
        }
        let mark = earliest(now)
        let fitting = guesses.filter { Self.fits($0, after: mark) }.min()
        return TrustedTime(fitting.map { max($0, mark) } ?? mark, wall: wall, isBehind: fitting == nil)
    }

    /// Trusted time by the uptime alone; `nil` if the system has restarted since the last stored reading.
    private func measured(_ now: ClockReading) -> Timestamp? {
        if let passed = now.seconds(since: reading) { return time.timestamp.adding(seconds: passed) }
        // If another process stored a slightly later reading meanwhile, trusted time is the mark. A reading that is
        // much later means that the machine was reset to a snapshot, which counts as a restart.
        if let later = reading.seconds(since: now), later <= Self.tolerance { return time.timestamp }
        guard let leap, leap.isBelieved, let passed = now.seconds(since: leap.reading) else { return nil }
        return leap.time.timestamp.adding(seconds: passed)
    }

    /// A lower bound of the true time after a restart.
    ///
    /// It increases within this boot. Otherwise, content could be played without end while the clock stays set back.
    private func earliest(_ now: ClockReading) -> Timestamp {
        guard let leap, let passed = now.seconds(since: leap.reading) else { return time.timestamp }
        return leap.time.timestamp.adding(seconds: passed)
    }

    /// Whether the last stored reading is at least some seconds old, or of an earlier boot.
    package func isOlder(than seconds: Int64, at now: ClockReading) -> Bool {
        now.seconds(since: running.reading).map { $0 >= seconds } ?? true
    }

    /// How many seconds the device has run since the first marks, without the time in which it was off.
    package func ran(at now: ClockReading) -> Int64 { running.seconds(until: now) }

    /// Stores trusted time as the new mark, so that time never goes back before it.
    ///
    /// After a restart with a leap beyond ``farthestLeap`` or with a clock that was set back, the time applies only
    /// until the next restart. A reading before the stored one changes nothing: another process stored a later one
    /// while this waited.
    package mutating func keep(_ trusted: TrustedTime, at now: ClockReading) {
        guard !now.precedes(running.reading) else { return }
        running.count(until: now)
        if now.seconds(since: reading) == nil {
            let isBelieved = trusted.verdict == .believed
            guard isBelieved, time.timestamp.seconds(until: trusted.now) <= Self.farthestLeap else {
                if measured(now) == nil {
                    leap = Leap(time: Moment(trusted.now), reading: now, isBelieved: isBelieved)
                }
                return
            }
        }
        time = Moment(trusted.now)
        reading = now
        leap = nil
    }

    /// Stores a server's signed time, which corrects any wrong clock.
    ///
    /// - Parameter isFresh: Whether the response is bound to the request by a nonce. Such a response is accepted
    ///   whatever its time, so a server can correct a time that was ahead. Any other response could be a replay. So it
    ///   is accepted only if it is newer than all earlier ones and not provably old. `Documentation/time.md` describes
    ///   one exception.
    /// - Returns: The check that corrects the times that the device wrote; `nil` if the server's time isn't accepted.
    @discardableResult
    package mutating func take(_ serverTime: Moment, isFresh: Bool, at now: ClockReading) -> TimeCheck? {
        let isOld = !isFresh && isProvablyOld(serverTime.timestamp, at: now)
        guard isFresh || counts(serverTime.timestamp, isProvablyOld: isOld, at: now) else { return nil }
        let expected = judge(now).now
        running.count(until: now)
        if isOld {
            timeBeforeRollback = Moment(expected)
        } else if isFresh || timeBeforeRollback.map({ serverTime >= $0 }) ?? false {
            timeBeforeRollback = nil
        }
        let start = Moment(serverTime.timestamp.adding(seconds: -running.seconds))
        origin = isFresh || isOld ? start : max(origin ?? start, start)
        time = serverTime
        reading = now
        leap = nil
        error = now.wall.timestamp.seconds(until: serverTime.timestamp)
        signed = serverTime
        return TimeCheck(
            now: serverTime.timestamp, ran: running.seconds,
            source: isFresh
                ? .answer(expected: expected, uptime: now.boot.isEmpty ? -1 : now.uptime)
                : .unboundAnswer(expected: expected))
    }

    /// Whether a response that isn't bound to its request may show that the mark is wrong.
    ///
    /// Its time must be accepted, and the wall clock must agree with it.
    package func mayCorrectMark(_ serverTime: Timestamp, at now: ClockReading) -> Bool {
        Self.agree(serverTime, now)
            && counts(serverTime, isProvablyOld: isProvablyOld(serverTime, at: now), at: now)
    }

    /// Whether to accept the time of a response that isn't bound to its request.
    ///
    /// A provably old response is accepted if the wall clock agrees with it and no earlier one has set trusted time
    /// back. This is needed because true times look old after a server's clock was ahead.
    private func counts(_ serverTime: Timestamp, isProvablyOld: Bool, at now: ClockReading) -> Bool {
        if let signed, serverTime <= signed.timestamp { return false }
        guard isProvablyOld else { return true }
        return Self.agree(serverTime, now) && timeBeforeRollback.map { serverTime >= $0.timestamp } ?? true
    }

    /// Whether a response's time is earlier than the true time can be, given how long the device has run since earlier
    /// responses.
    ///
    /// Without this, an attacker who stored responses could give them to the app one after the other, and set its time
    /// back with each.
    private func isProvablyOld(_ serverTime: Timestamp, at now: ClockReading) -> Bool {
        guard let origin else { return false }
        let earliest = origin.timestamp.adding(seconds: running.seconds(until: now))
        return serverTime < earliest.adding(seconds: -Self.tolerance)
    }

    private static func agree(_ serverTime: Timestamp, _ now: ClockReading) -> Bool {
        (-tolerance...tolerance).contains(serverTime.seconds(until: now.wall.timestamp))
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

    /// Whether the system took this reading before another one of the same boot.
    package func precedes(_ later: ClockReading) -> Bool {
        !boot.isEmpty && boot == later.boot && uptime < later.uptime
    }

    /// The seconds since an earlier reading, measured by uptime.
    ///
    /// `nil` if the system has restarted in between or doesn't identify its boots.
    package func seconds(since earlier: ClockReading) -> Int64? {
        guard !boot.isEmpty, boot == earlier.boot, uptime >= earlier.uptime else { return nil }
        return uptime - earlier.uptime
    }
}
