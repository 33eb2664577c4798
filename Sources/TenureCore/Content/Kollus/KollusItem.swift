/// One item of a Kollus callback: what its player asks about one content (`spec/content.md` §1.3).
public struct KollusItem: Sendable, Hashable {
    /// What it asks about.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Whether the content may be downloaded, and by which limits.
        case download = 1
        /// Nothing: the download is complete.
        case complete = 2
        /// Whether it may be played, or is to be renewed.
        case check = 3
    }

    /// What it asks about.
    public var kind: Kind
    /// The media content key.
    public var key: String
    /// `client_user_id`: the holder.
    public var user: String
    /// `player_id`: the device.
    public var player: String
    /// `session_key`, echoed in answers to a check.
    public var sessionKey: String?
    /// `start_at`, echoed in answers to a check.
    public var startAt: Int64?
    /// The player holds the content expired by force.
    public var isForceExpired: Bool
    /// The player holds its check-in overdue.
    public var isCheckOverdue: Bool
    /// The player renews it, and does not play it.
    public var isReset: Bool
    /// What the device calls itself, for people.
    public var deviceName: String?
    /// The device's clock; nil when it did not say.
    public var localTime: Timestamp?

    /// Puts an item together.
    public init(
        kind: Kind, key: String, user: String, player: String, sessionKey: String? = nil, startAt: Int64? = nil,
        isForceExpired: Bool = false, isCheckOverdue: Bool = false, isReset: Bool = false, deviceName: String? = nil,
        localTime: Timestamp? = nil
    ) {
        self.kind = kind
        self.key = key
        self.user = user
        self.player = player
        self.sessionKey = sessionKey
        self.startAt = startAt
        self.isForceExpired = isForceExpired
        self.isCheckOverdue = isCheckOverdue
        self.isReset = isReset
        self.deviceName = deviceName
        self.localTime = localTime
    }

    /// Whether a check asks for a new version.
    public var asksForReset: Bool { isReset || isForceExpired || isCheckOverdue }
}

/// The answer to one item. What is nil is not said; 0 of a limit means that there is none.
public struct KollusAnswer: Sendable, Hashable {
    /// The limits of a content as Kollus has them.
    public struct Limits: Sendable, Hashable {
        /// `expiration_date`; 0 for none.
        public var expirationDate: Int64
        /// `expiration_count` and `expiration_playtime`; nil where the date alone is said.
        public var counts: Counts?

        /// States limits.
        public init(expirationDate: Int64, counts: Counts?) {
            self.expirationDate = expirationDate
            self.counts = counts
        }

        /// What is counted.
        public struct Counts: Sendable, Hashable {
            /// Plays; 0 for no limit.
            public var plays: Int64
            /// Seconds of play time; 0 for no limit.
            public var playSeconds: Int64

            /// States what is counted.
            public init(plays: Int64, playSeconds: Int64) {
                self.plays = plays
                self.playSeconds = playSeconds
            }
        }
    }

    /// The item's kind.
    public let kind: KollusItem.Kind
    /// The item's media content key.
    public let key: String
    /// Yes or no.
    public var result: Bool
    /// For people, where it is no or the content is deleted.
    public var message: String?
    /// What the message says; setting it sets the message in English.
    public var reason: Reason? {
        didSet { message = reason.map { "\($0.message) \($0.cure)" } }
    }
    /// The limits that are given.
    public var limits: Limits?
    /// Which seconds play time counts; in the answer to a download alone.
    public var basis: ContentTerms.Basis?
    /// Whether the player asks the person before it renews; in the answer to a download alone.
    public var asksBefore: Bool?
    /// `check_abuse`: whether every play asks first.
    public var needsOnline: Bool?
    /// `check_expiration_date`: the check-in; 0 for none.
    public var checkInBy: Int64?
    /// Whether the content is deleted.
    public var isDeleted: Bool?
    /// Whether it expires by force.
    public var isExpired: Bool?
    /// Whether what expired is opened again.
    public var isReset: Bool?
    /// The item's own, echoed in the answer to a check.
    public var sessionKey: String?
    /// The item's own, echoed in the answer to a check.
    public var startAt: Int64?

    /// Begins an answer to an item.
    public init(_ item: KollusItem, result: Bool) {
        kind = item.kind
        key = item.key
        self.result = result
        if kind == .check {
            sessionKey = item.sessionKey
            startAt = item.startAt
        }
    }

    /// The last moment that Kollus can be told, 2029-12-31T23:59:59Z: a later end is sent as this one.
    public static let latestDate: Int64 = 1_893_455_999

    /// Whether exactly what was given is to be kept, for a repeat to get the same.
    public var isGift: Bool { result && (kind == .download || isReset == true) }
}

extension KollusAnswer.Limits {
    /// The limits of terms, within what Kollus can carry. A limit is never 0: that would be no limit.
    init(_ terms: ContentTerms, dateAlone: Bool = false) {
        expirationDate = terms.expiresAt.map { KollusAnswer.date($0) } ?? 0
        guard !dateAlone else { return }
        counts = Counts(
            plays: terms.plays.map { Int64(min(max($0, 1), 1_000)) } ?? 0,
            playSeconds: terms.playSeconds.map { min(max($0, 60), 604_800) } ?? 0)
    }
}

extension KollusAnswer {
    static func date(_ moment: Timestamp) -> Int64 { min(max(moment.seconds, 1), latestDate) }
}

extension KollusItem {
    /// By how many seconds the player's clock differs from the server's; `nil` within five minutes, and if the player did
    /// not report its time. A difference is recorded and never a reason to refuse.
    public func clockError(at now: Timestamp) -> Int64? {
        guard let error = localTime.map({ now.seconds(until: $0) }), !(-300...300).contains(error) else { return nil }
        return error
    }

    /// For how many seconds a recorded difference is not recorded again for the same player.
    public static let clockErrorInterval: Int64 = 86_400
}

extension ContentLicense {
    /// The event for a player whose clock is wrong, if the item reports a clock that is.
    public func wrongClock(_ item: KollusItem, at now: Timestamp) -> Event? {
        guard item.clockError(at: now) != nil, let playerTime = item.localTime else { return nil }
        return event(
            .playerClockWrong, by: .device, at: now,
            [.init("playerTime", .date(playerTime)), .init("serverTime", .date(now))])
    }
}
