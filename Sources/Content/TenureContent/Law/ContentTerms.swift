public import TenureCore

/// The limits of a content license until its next version, and how use is counted.
///
/// A limit that is `nil` doesn't apply. A limit of 0 allows nothing.
public struct ContentTerms: Sendable, Hashable {
    /// Which seconds count as play time.
    public enum Basis: String, Sendable, Hashable, CaseIterable {
        /// Seconds of media that were rendered, at any speed.
        case media
        /// Seconds of real time while the content was playing.
        case wall
    }

    /// What happens to a running play when a date limit is reached.
    public enum WhenOver: String, Sendable, Hashable, CaseIterable {
        /// The play may be continued to the end.
        case finish
        /// The play stops at once.
        case stop
        /// The play may continue for ``ContentTerms/graceSeconds``.
        case grace
    }

    /// How a new version treats earlier use.
    public enum Ledger: String, Sendable, Hashable, CaseIterable {
        /// Counting starts again: use under earlier versions doesn't count towards the limits, even if it is reported
        /// later.
        case reset
        /// Use under earlier versions still counts towards the limits, even if it is reported later.
        case carry
    }

    /// The first second at which the content may be played; `nil` if it may be played at once.
    public var notBefore: Timestamp?
    /// The first second at which the content can no longer be played; `nil` if the license doesn't expire.
    public var expiresAt: Timestamp?
    /// How long the content may be played after the first play, in seconds.
    public var windowAfterFirstPlay: Int64?
    /// How many times the content may be played.
    public var plays: Int?
    /// For how many seconds the content may be played in total.
    public var playSeconds: Int64?
    /// Which seconds ``playSeconds`` counts.
    public var playTimeBasis: Basis
    /// How many seconds a play must render before it counts towards ``plays``; 0 to count it at its first picture.
    public var countAfterSeconds: Int64
    /// How long after the player was closed a play may be continued without counting again, in seconds.
    public var resumeWithinSeconds: Int64
    /// When the device must have contacted the server again, at the latest.
    public var checkInBy: Timestamp?
    /// Whether the content plays only while the device can reach the server.
    public var onlineRequired: Bool
    /// Whether the user is asked before an ended license is renewed.
    public var askBeforeRenew: Bool
    /// When a renewal becomes due; `nil` if no date makes it due.
    public var renewFrom: Timestamp?
    /// Until when the license may be renewed; `nil` if renewals have no deadline.
    public var renewUntil: Timestamp?
    /// How long a running play may continue after a date limit, in seconds, if ``whenOver`` is `grace`.
    public var graceSeconds: Int64
    /// What happens to a running play when a date limit is reached; it doesn't affect ``plays`` and ``playSeconds``.
    public var whenOver: WhenOver
    /// How use under earlier versions was treated when this version was issued.
    public var ledger: Ledger

    /// Creates terms without limits and with the catalog's defaults for counting.
    public init() {
        playTimeBasis = .media
        countAfterSeconds = 0
        resumeWithinSeconds = 600
        onlineRequired = false
        askBeforeRenew = false
        graceSeconds = 0
        whenOver = .finish
        ledger = .reset
    }

    /// Creates the terms of a grant that is issued now.
    ///
    /// They end with the enrolment at the latest. A renewal becomes due `renewAheadDays` before the end or the
    /// check-in, whichever is earlier, but not before half of that time has passed.
    public init(under policy: ContentPolicy, until enrolmentEnd: Timestamp?, at now: Timestamp) {
        self.init()
        expiresAt = [policy.expiresAfterDays.map { now.adding(days: $0) }, enrolmentEnd].compactMap(\.self).min()
        windowAfterFirstPlay = policy.windowAfterFirstPlayHours.map { Int64($0) * 3_600 }
        plays = policy.grantedPlays
        playSeconds = policy.grantedPlaySeconds.map(Int64.init)
        playTimeBasis = policy.playTimeBasis
        countAfterSeconds = Int64(policy.countAfterSeconds)
        resumeWithinSeconds = Int64(policy.resumeWithinSeconds)
        checkInBy = policy.checkInDays.map { now.adding(days: $0) }
        onlineRequired = policy.onlineRequired
        askBeforeRenew = policy.askBeforeRenew
        graceSeconds = Int64(policy.graceHours) * 3_600
        whenOver = policy.whenOver
        ledger = policy.onRenewal
        if let end = [expiresAt, checkInBy].compactMap(\.self).min() {
            let half = now.adding(seconds: now.seconds(until: end) / 2)
            renewFrom = max(end.adding(days: -policy.renewAheadDays), half)
        }
        if let expiresAt, let days = policy.renewAfterExpiryDays { renewUntil = expiresAt.adding(days: days) }
    }

    /// How long a device may play under these terms without contacting the server.
    ///
    /// Counted limits and the time allowed after the first play may end it sooner.
    public var reach: ContentGrant.PlayableReach {
        [expiresAt, checkInBy].compactMap(\.self).min().map { .until($0) } ?? .unlimited
    }
}

/// Writes or reads the fields of ``ContentTerms`` in one format, field by field.
///
/// A writer leaves the values as they are; a reader replaces them.
package protocol ContentTermsCoder {
    associatedtype Failure: Error

    mutating func time(_ name: String, _ value: inout Timestamp?) throws(Failure)
    /// Writes or reads a limit in seconds or plays; `nil` means that the limit doesn't apply.
    mutating func limit(_ name: String, _ value: inout Int64?, in range: ClosedRange<Int64>) throws(Failure)
    mutating func number(_ name: String, _ value: inout Int64, in range: ClosedRange<Int64>) throws(Failure)
    mutating func flag(_ name: String, _ value: inout Bool) throws(Failure)
    mutating func choice<Choice: CaseIterable & RawRepresentable<String> & Equatable>(
        _ name: String, _ value: inout Choice
    ) throws(Failure) where Choice.AllCases == [Choice]
}

extension ContentTerms {
    /// Passes each field to the coder: its name in a signed grant, and the values that it may have.
    ///
    /// Signed grants and the device's ledger contain exactly these fields, in this order. Once they're released, another
    /// field needs a new version of both formats.
    package mutating func code<Coder: ContentTermsCoder>(with coder: inout Coder) throws(Coder.Failure) {
        let seconds = 0...Int64(Int32.max)
        var plays = plays.map(Int64.init)
        try coder.time("notBefore", &notBefore)
        try coder.time("expiresAt", &expiresAt)
        try coder.limit("windowAfterFirstPlay", &windowAfterFirstPlay, in: 0 ... .max)
        try coder.limit("plays", &plays, in: 0...Int64(Int32.max))
        try coder.limit("playSeconds", &playSeconds, in: 0...SessionReport.longestPlay)
        try coder.choice("playTimeBasis", &playTimeBasis)
        try coder.number("countAfterSeconds", &countAfterSeconds, in: seconds)
        try coder.number("resumeWithinSeconds", &resumeWithinSeconds, in: seconds)
        try coder.time("checkInBy", &checkInBy)
        try coder.flag("onlineRequired", &onlineRequired)
        try coder.flag("askBeforeRenew", &askBeforeRenew)
        try coder.time("renewFrom", &renewFrom)
        try coder.time("renewUntil", &renewUntil)
        try coder.number("graceSeconds", &graceSeconds, in: seconds)
        try coder.choice("whenOver", &whenOver)
        try coder.choice("ledger", &ledger)
        self.plays = plays.map { Int($0) }
    }
}
