public import TenureCore

/// One item of a Kollus callback: a player's request about one content item.
public struct KollusItem: Sendable, Hashable {
    /// A player's request or report; the raw value is the callback's `kind`.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Asks whether the content may be downloaded, and with which limits.
        case download = 1
        /// A notification that the download is complete.
        case complete = 2
        /// Asks whether the content may be played or has to be renewed.
        case check = 3
    }

    /// What the player reports or asks for, from `kind`.
    public var kind: Kind
    /// The media content key, from `media_content_key`.
    public var key: String
    /// The holder, from `client_user_id`.
    public var user: String
    /// The device, from `player_id`.
    public var player: String
    /// The `session_key`, which responses to a check echo; `nil` if the item has none.
    public var sessionKey: String?
    /// The `start_at`, which responses to a check echo; `nil` if the item has none.
    public var startAt: Int64?
    /// Whether the player reports the content as force-expired.
    public var isForceExpired: Bool
    /// Whether the player reports its check-in as overdue.
    public var isCheckOverdue: Bool
    /// Whether the player asks for a renewal without playing the content.
    public var isReset: Bool
    /// The device's display name; `nil` if it wasn't sent.
    public var deviceName: String?
    /// The time on the device's clock; `nil` if it wasn't sent.
    public var localTime: Timestamp?

    /// Creates an item with these values, which aren't checked.
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

extension KollusItem {
    /// The response to one item.
    ///
    /// A `nil` value isn't sent, and a limit of 0 means no limit.
    public struct Answer: Sendable, Hashable {
        /// The limits of a content item in the format of Kollus's callback.
        public struct Limits: Sendable, Hashable {
            /// The `expiration_date` in POSIX seconds; 0 for no limit.
            public var expirationDate: Int64
            /// The `expiration_count` and `expiration_playtime`; `nil` to send only the date.
            public var counts: Counts?

            /// Creates limits from their parts, in Kollus's form.
            public init(expirationDate: Int64, counts: Counts?) {
                self.expirationDate = expirationDate
                self.counts = counts
            }

            /// The limits on plays and play time.
            public struct Counts: Sendable, Hashable {
                /// The maximum number of plays; 0 for no limit.
                public var plays: Int64
                /// The play time in seconds; 0 for no limit.
                public var playSeconds: Int64

                /// Creates counted limits with these values, which aren't checked.
                public init(plays: Int64, playSeconds: Int64) {
                    self.plays = plays
                    self.playSeconds = playSeconds
                }
            }
        }

        /// The item's kind, which the response repeats.
        public let kind: KollusItem.Kind
        /// The item's media content key, which the response repeats.
        public let key: String
        /// Whether the request succeeded; a failed completion makes the player force-expire the download.
        public var result: Bool
        /// A message for the user if the request failed or the content is deleted.
        public var message: String?
        /// The reason for ``message``; setting it sets the message in English.
        public var reason: Reason? {
            didSet { message = reason.map { "\($0.message) \($0.cure)" } }
        }
        /// The limits for the player to apply.
        public var limits: Limits?
        /// Which seconds count as play time; sent only for a download.
        public var basis: ContentTerms.Basis?
        /// Whether the player asks the user before a renewal; sent only for a download.
        public var asksBefore: Bool?
        /// The `check_abuse` flag: whether the player must contact the server before every play.
        public var needsOnline: Bool?
        /// The `check_expiration_date`, by which the player has to check in, in POSIX seconds; 0 for none.
        public var checkInBy: Int64?
        /// Whether the player must delete the content.
        public var isDeleted: Bool?
        /// Whether the player must force-expire the content.
        public var isExpired: Bool?
        /// Whether expired content becomes playable again.
        public var isReset: Bool?
        /// The item's `session_key`, echoed in the response to a check.
        public var sessionKey: String?
        /// The item's `start_at`, echoed in the response to a check.
        public var startAt: Int64?

        /// Creates a response to an item that repeats the members by which the player recognizes it.
        public init(_ item: KollusItem, result: Bool) {
            kind = item.kind
            key = item.key
            self.result = result
            if kind == .check {
                sessionKey = item.sessionKey
                startAt = item.startAt
            }
        }

        /// The latest date that Kollus accepts, 2029-12-31T23:59:59Z; a later end is sent as this date.
        public static let latestDate: Int64 = 1_893_455_999

        /// Whether the response must be stored, so that a repeated request gets the same one.
        public var isGift: Bool { result && (kind == .download || isReset == true) }
    }
}

extension KollusItem.Answer.Limits {
    /// Converts terms to limits in Kollus's ranges.
    ///
    /// A limit never becomes 0, which would mean no limit.
    ///
    /// - Parameter dateAlone: Whether to leave the counted limits out.
    init(_ terms: ContentTerms, dateAlone: Bool = false) {
        expirationDate = terms.expiresAt.map { KollusItem.Answer.date($0) } ?? 0
        guard !dateAlone else { return }
        counts = Counts(
            plays: terms.plays.map { Int64(min(max($0, 1), 1_000)) } ?? 0,
            playSeconds: terms.playSeconds.map { min(max($0, 60), 604_800) } ?? 0)
    }
}

extension KollusItem.Answer {
    static func date(_ time: Timestamp) -> Int64 { min(max(time.seconds, 1), latestDate) }
}

extension KollusItem {
    /// How many seconds the player's clock is ahead of the server's; negative if it is behind.
    ///
    /// The result is `nil` within five minutes, and if the player didn't send its time. A difference is recorded but is
    /// never a reason to refuse.
    public func clockError(at now: Timestamp) -> Int64? {
        guard let error = localTime.map({ now.seconds(until: $0) }), !(-300...300).contains(error) else { return nil }
        return error
    }

    /// For how long a clock difference isn't recorded again for the same player, in seconds.
    public static let clockErrorInterval: Int64 = 86_400
}

extension ContentLicense {
    /// Returns the event to record if the item shows that the player's clock is wrong; `nil` if it doesn't.
    public func wrongClock(_ item: KollusItem, at now: Timestamp) -> Event? {
        guard item.clockError(at: now) != nil, let playerTime = item.localTime else { return nil }
        return event(
            .playerClockWrong, by: .device, at: now,
            [.init("playerTime", .date(playerTime)), .init("serverTime", .date(now))])
    }
}
