public import TenureCore

/// A play session's id on a device: a random UUID, made before the first picture.
public struct PlaySessionID: Sendable, Hashable, CustomStringConvertible {
    /// The UUID's 16 bytes in two halves, most significant first.
    public let high: UInt64, low: UInt64

    /// Creates an id from its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses the usual 36-character form in upper or lower case; returns `nil` for any other text.
    public init?(text: String) {
        guard let uuid = ActivationID(text: text) else { return nil }
        self.init(high: uuid.high, low: uuid.low)
    }

    /// The usual 36-character form in lower case.
    public var description: String { ActivationID(high: high, low: low).description }
}

/// The use of a license: plays and play time.
public struct ContentUse: Sendable, Hashable {
    /// The number of plays that were long enough to count; see ``ContentTerms/countAfterSeconds``.
    public var plays: Int
    /// The play time in seconds, as defined by the terms' ``ContentTerms/playTimeBasis``.
    public var playSeconds: Int64

    /// Creates a use with these values, which aren't checked.
    public init(plays: Int = 0, playSeconds: Int64 = 0) {
        self.plays = plays
        self.playSeconds = playSeconds
    }

    /// No plays and no play time.
    public static let none = ContentUse()

    /// Adds plays to plays and seconds to seconds; a sum that would overflow becomes the largest value.
    public static func + (one: ContentUse, other: ContentUse) -> ContentUse {
        let (plays, manyPlays) = one.plays.addingReportingOverflow(other.plays)
        let (seconds, manySeconds) = one.playSeconds.addingReportingOverflow(other.playSeconds)
        return ContentUse(plays: manyPlays ? .max : plays, playSeconds: manySeconds ? .max : seconds)
    }

    /// Returns the larger number of plays and the larger play time.
    public func orMore(_ other: ContentUse) -> ContentUse {
        ContentUse(plays: max(plays, other.plays), playSeconds: max(playSeconds, other.playSeconds))
    }
}

/// A play of a content item on a device, and how it is metered.
///
/// `Documentation/metering.md` has the rules as a table. While it plays, the player reports progress in beats, at most
/// ``beatSeconds`` apart. A session is charged for what was rendered between two beats, or for the time that passed
/// while it was playing. Seeking renders nothing, so it isn't charged.
public struct PlaySession: Sendable, Hashable {
    /// Whether the session is being played, paused or closed.
    public enum State: Sendable, Hashable {
        /// The session shows pictures, or is about to show the first one.
        case playing
        /// The user paused the session; the player is still open.
        case paused
        /// The player was closed or crashed at this time; the session may be continued for as long as the terms allow.
        case resting(since: Timestamp)
    }

    /// The longest time between two beats in seconds, which is also the most that a crash can cost.
    public static let beatSeconds: Int64 = 5

    /// The random id that makes the session unique within its license.
    public let id: PlaySessionID
    /// The version of the grant under which the session began and to which its use is charged.
    public let version: Int64
    /// Whether the session continues a play that counted under an earlier version, so that it doesn't count again.
    public let isPaid: Bool
    /// When the session's first picture was shown, in the device's trusted time; `nil` before that.
    public internal(set) var startedAt: Timestamp?
    /// Whether the session counted as a play of its version.
    public internal(set) var isCounted: Bool
    /// How much media has been rendered, in milliseconds, at any speed.
    public internal(set) var renderedMillis: Int64
    /// The play time charged, in milliseconds.
    public internal(set) var chargedMillis: Int64
    /// Whether the session is being played, paused or closed.
    public internal(set) var state: State
    /// When the last beat was recorded.
    public internal(set) var lastBeatAt: Timestamp
    /// The ledger's sequence at the session's last change.
    public internal(set) var sequence: Int64
    /// The playback speed at the last beat, in milliseconds of media per second; 1,000 is normal speed.
    public internal(set) var pace: Int64

    /// Creates a session from a stored record without checking any rule.
    public init(
        id: PlaySessionID, version: Int64, isPaid: Bool = false, startedAt: Timestamp? = nil, isCounted: Bool = false,
        renderedMillis: Int64 = 0, chargedMillis: Int64 = 0, state: State = .playing, lastBeatAt: Timestamp,
        sequence: Int64 = 0, pace: Int64 = 1_000
    ) {
        self.id = id
        self.version = version
        self.isPaid = isPaid
        self.startedAt = startedAt
        self.isCounted = isCounted
        self.renderedMillis = renderedMillis
        self.chargedMillis = chargedMillis
        self.state = state
        self.lastBeatAt = lastBeatAt
        self.sequence = sequence
        self.pace = pace
    }

    /// The use to report for the session; a second that has begun is charged in full.
    public var use: ContentUse { ContentUse(plays: isCounted ? 1 : 0, playSeconds: (chargedMillis + 999) / 1_000) }

    /// Whether the session can be continued: it is open, or was closed no longer ago than the terms allow.
    public func canGoOn(under terms: ContentTerms, at now: Timestamp) -> Bool {
        guard case .resting(let since) = state else { return true }
        return now < since.adding(seconds: terms.resumeWithinSeconds)
    }

    /// Charges what was played since the last beat, up to the play time left.
    ///
    /// The session counts as a play once it has been rendered for as long as the terms require. If they require 0
    /// seconds, it counts with the beat of the first picture.
    ///
    /// - Parameters:
    ///   - wall: The time that passed while it was playing, in milliseconds of a clock that can't be set.
    ///   - rendered: The media rendered in that time, in milliseconds.
    ///   - left: The play time left, in milliseconds; `nil` if there is no limit.
    mutating func beat(wall: Int64, rendered: Int64, left: Int64?, under terms: ContentTerms, at now: Timestamp) {
        guard state == .playing else { return }
        let (wall, rendered) = (max(0, wall), max(0, rendered))
        if startedAt == nil { startedAt = now }
        renderedMillis = renderedMillis.addingSaturated(rendered)
        charge(terms.playTimeBasis == .media ? rendered : wall, left: left)
        if wall > 0 { pace = min(rendered, wall.addingSaturated(wall.multipliedSaturated(by: 99))) * 1_000 / wall }
        if !isPaid, renderedMillis >= terms.countAfterSeconds.multipliedSaturated(by: 1_000) { isCounted = true }
        lastBeatAt = max(lastBeatAt, now)
    }

    /// Closes a session that a crash left open.
    ///
    /// At most ``beatSeconds`` are charged, at the speed of the last beat. The session doesn't become a counted play.
    mutating func recover(left: Int64?, under terms: ContentTerms, at now: Timestamp) {
        if case .resting = state { return }
        var lost: Int64 = 0
        if state == .playing, startedAt != nil {
            lost = min(max(0, lastBeatAt.seconds(until: now)), Self.beatSeconds)
            charge(terms.playTimeBasis == .media ? lost * pace : lost * 1_000, left: left)
        }
        state = .resting(since: lastBeatAt.adding(seconds: lost))
    }

    /// Returns the session with each time after the present replaced by the present.
    func corrected(by check: TimeCheck) -> PlaySession {
        let corrected = { (time: Timestamp) in DeviceTime(time).corrected(by: check).time }
        var session = self
        session.startedAt = startedAt.map(corrected)
        session.lastBeatAt = corrected(lastBeatAt)
        if case .resting(let since) = state { session.state = .resting(since: corrected(since)) }
        return session
    }

    private mutating func charge(_ millis: Int64, left: Int64?) {
        chargedMillis = chargedMillis.addingSaturated(left.map { min(millis, max(0, $0)) } ?? millis)
    }
}

extension Int64 {
    fileprivate func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max / 1_000_000 : Swift.min(sum, .max / 1_000_000)
    }

    fileprivate func multipliedSaturated(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max / 1_000_000 : product
    }
}
