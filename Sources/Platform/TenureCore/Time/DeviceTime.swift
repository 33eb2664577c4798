/// A time that a device took from its own clock, which may have been ahead.
///
/// A right that starts at such a time must not last longer because the clock was ahead. So the time is corrected once
/// the clock is trusted (`Documentation/time.md`). It's then at most the current time less the time for which the
/// device has run since.
package struct DeviceTime: Sendable, Hashable {
    /// The time to use: the one that the device wrote, or a correction of it.
    package private(set) var time: Timestamp
    /// The time as the device wrote it; `nil` if that is ``time``, or once a signed response to the device's own
    /// request has confirmed or corrected it.
    ///
    /// ``time`` moves back towards it if a signed time shows that the clock was behind at the correction.
    package private(set) var original: Timestamp?
    /// How long the device had run when it wrote the time, in seconds; `nil` if unknown.
    package let ran: Int64?

    /// Creates a time that is written now, or that was stored.
    package init(_ time: Timestamp, original: Timestamp? = nil, ran: Int64? = nil) {
        self.time = time
        self.original = original
        self.ran = ran
    }

    /// Returns the time, corrected by a reading of the current time.
    package func corrected(by check: TimeCheck) -> DeviceTime {
        let passed = ran.map { max(0, check.ran - $0) }
        let latest = check.now.adding(seconds: -(passed ?? 0))
        var corrected = self
        switch check.source {
        case .clock: break
        case .unboundAnswer(let expected): corrected.restore(check.now, over: expected)
        case .answer(let expected, let uptime):
            // The system hasn't restarted since the time was written, so `passed` is exact. After a restart, `passed`
            // includes the whole uptime, so it's never less than the uptime.
            if let passed, passed < uptime {
                let isRight = (-check.tolerance...check.tolerance).contains(time.seconds(until: latest))
                return DeviceTime(isRight ? time : latest, ran: ran)
            }
            corrected.restore(check.now, over: expected)
            corrected.original = nil
        }
        guard corrected.time > latest.adding(seconds: check.tolerance) else { return corrected }
        if !check.source.isBound { corrected.original = corrected.original ?? corrected.time }
        corrected.time = latest
        return corrected
    }

    /// Undoes a correction by the amount by which a signed time is later than the expected time.
    private mutating func restore(_ now: Timestamp, over expected: Timestamp) {
        guard let written = original else { return }
        time = min(written, time.adding(seconds: max(0, expected.seconds(until: now))))
        if time == written { original = nil }
    }
}

/// A reading of the current time by which a device's earlier times are checked.
package struct TimeCheck: Sendable, Hashable {
    /// The source of the current time.
    package enum Source: Sendable, Hashable {
        /// The device's own clock, which is trusted.
        case clock
        /// A signed response that isn't bound to a request, so it may be old.
        ///
        /// `expected` is the time that the device had computed itself before this response.
        case unboundAnswer(expected: Timestamp)
        /// A signed response to the device's request.
        ///
        /// `expected` is the time that the device had computed itself before this response. Its system had started
        /// `uptime` seconds before.
        case answer(expected: Timestamp, uptime: Int64)

        /// Whether the source is a signed response to the device's own request, so that the time is exact.
        var isBound: Bool { if case .answer = self { true } else { false } }
    }

    package let now: Timestamp
    /// How long the device has run, in seconds, on the scale of ``DeviceTime/ran``.
    package let ran: Int64
    package let source: Source

    package init(now: Timestamp, ran: Int64, source: Source = .clock) {
        self.now = now
        self.ran = ran
        self.source = source
    }

    /// How far a time may be ahead without a correction, in seconds.
    ///
    /// A request takes up to a minute. A response that isn't bound to its request may be an hour old.
    var tolerance: Int64 { if case .unboundAnswer = source { 3_600 } else { 60 } }
}
