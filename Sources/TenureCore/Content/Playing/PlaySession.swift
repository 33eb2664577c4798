/// Names one play on a device: a random UUID, made before the first picture.
public struct PlaySessionID: Sendable, Hashable, CustomStringConvertible {
    /// The sixteen bytes, in two halves, most significant first.
    public let high: UInt64, low: UInt64

    /// Names a session by its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the usual text of 36 characters in either case; refuses everything else.
    public init?(text: String) {
        guard let uuid = ActivationID(text: text) else { return nil }
        self.init(high: uuid.high, low: uuid.low)
    }

    /// The usual text, in lower case.
    public var description: String { ActivationID(high: high, low: low).description }
}

/// What was used of a license: plays that counted, and seconds of playing.
public struct ContentUse: Sendable, Hashable {
    /// Plays that counted.
    public var plays: Int
    /// Seconds of playing, on the basis that the terms name.
    public var playSeconds: Int64

    /// States a use.
    public init(plays: Int = 0, playSeconds: Int64 = 0) {
        self.plays = plays
        self.playSeconds = playSeconds
    }

    /// Nothing.
    public static let none = ContentUse()

    /// Both together; what is too much to be written is the most that can be.
    public static func + (one: ContentUse, other: ContentUse) -> ContentUse {
        let (plays, manyPlays) = one.plays.addingReportingOverflow(other.plays)
        let (seconds, manySeconds) = one.playSeconds.addingReportingOverflow(other.playSeconds)
        return ContentUse(plays: manyPlays ? .max : plays, playSeconds: manySeconds ? .max : seconds)
    }

    /// The larger of both, each by itself.
    public func orMore(_ other: ContentUse) -> ContentUse {
        ContentUse(plays: max(plays, other.plays), playSeconds: max(playSeconds, other.playSeconds))
    }
}

/// One play of a content on a device, and how it is metered: `Documentation/metering.md` has the rules as a table.
///
/// What a play costs is what was rendered, or the time that passed, between two beats while it was playing. A seek
/// renders nothing, so it needs no rule.
public struct PlaySession: Sendable, Hashable {
    /// What it is doing.
    public enum State: Sendable, Hashable {
        /// It renders, or is about to.
        case playing
        /// It is held by the person, the player still open.
        case paused
        /// The player was closed, or fell, at this moment: it may go on for as long as the terms let it.
        case resting(since: Timestamp)
    }

    /// The longest time between two beats, in seconds: what a fall of the program may cost.
    public static let beatSeconds: Int64 = 5

    /// Its name.
    public let id: PlaySessionID
    /// The version of the grant that it began under, and counts against.
    public let version: Int64
    /// Whether it continues a play that counted under an earlier version, so that it does not count again.
    public let isPaid: Bool
    /// When its first picture was shown; nil before.
    public internal(set) var startedAt: Timestamp?
    /// Whether it counted as a play of its version.
    public internal(set) var isCounted: Bool
    /// Milliseconds of media that were rendered.
    public internal(set) var renderedMillis: Int64
    /// Milliseconds charged on the basis of the terms.
    public internal(set) var chargedMillis: Int64
    /// What it is doing.
    public internal(set) var state: State
    /// When the last beat was written.
    public internal(set) var lastBeatAt: Timestamp
    /// The sequence of the ledger at its last change.
    public internal(set) var sequence: Int64
    /// Milliseconds of media in a second at the last beat: the speed.
    public internal(set) var pace: Int64

    /// Puts a session together from what a ledger holds. It decides nothing.
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

    /// What it used; a second that has begun is charged.
    public var use: ContentUse { ContentUse(plays: isCounted ? 1 : 0, playSeconds: (chargedMillis + 999) / 1_000) }

    /// Whether it can be gone on with at a moment: it is open, or has not rested longer than the terms let it.
    public func canGoOn(under terms: ContentTerms, at now: Timestamp) -> Bool {
        guard case .resting(let since) = state else { return true }
        return now < since.adding(seconds: terms.resumeWithinSeconds)
    }

    /// Takes in what happened since the last beat, up to what is left of the play time.
    ///
    /// It counts as a play with the beat that makes it as long as the terms ask; with 0, that of the first picture.
    /// - Parameters:
    ///   - wall: Milliseconds that passed while it was playing, by a clock that nobody sets.
    ///   - rendered: Milliseconds of media that were rendered in them.
    ///   - left: Milliseconds of play time that are left; nil for no limit.
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

    /// Closes what a fall left open: one beat at most is charged, at the speed of the last, and no play.
    mutating func recover(left: Int64?, under terms: ContentTerms, at now: Timestamp) {
        if case .resting = state { return }
        var lost: Int64 = 0
        if state == .playing, startedAt != nil {
            lost = min(max(0, lastBeatAt.seconds(until: now)), Self.beatSeconds)
            charge(terms.playTimeBasis == .media ? lost * pace : lost * 1_000, left: left)
        }
        state = .resting(since: lastBeatAt.adding(seconds: lost))
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
