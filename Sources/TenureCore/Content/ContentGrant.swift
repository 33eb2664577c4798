/// What a content license permits until the next one: limits, and how they are counted.
///
/// Nil means no limit; 0 of something means that there is none of it.
public struct ContentTerms: Sendable, Hashable {
    /// Which seconds play time counts.
    public enum Basis: String, Sendable, Hashable, CaseIterable {
        /// Seconds of media that were rendered, at whatever speed.
        case media
        /// Seconds that passed while it was playing.
        case wall
    }

    /// What a running play does when an end by date comes.
    public enum WhenOver: String, Sendable, Hashable, CaseIterable {
        /// It may be played to its end.
        case finish
        /// It stops.
        case stop
        /// It may go on for the grace.
        case grace
    }

    /// What a new version makes of what was used.
    public enum Ledger: String, Sendable, Hashable, CaseIterable {
        /// It begins anew: what was used under earlier versions never counts against it.
        case reset
        /// What was used goes on counting, late reports included.
        case carry
    }

    /// The first moment it may be played.
    public var notBefore: Timestamp?
    /// The first moment it may not.
    public var expiresAt: Timestamp?
    /// How long it may be played from the first play, in seconds.
    public var windowAfterFirstPlay: Int64?
    /// How many plays there are.
    public var plays: Int?
    /// How many seconds of playing there are.
    public var playSeconds: Int64?
    /// Which seconds those are.
    public var playTimeBasis: Basis
    /// How many rendered seconds make a play count.
    public var countAfterSeconds: Int64
    /// How long after it rested a play may go on without counting again, in seconds.
    public var resumeWithinSeconds: Int64
    /// The moment by which the device has to have asked again.
    public var checkInBy: Timestamp?
    /// Whether it plays only while the server answers.
    public var onlineRequired: Bool
    /// Whether the person is asked before what has ended is renewed.
    public var askBeforeRenew: Bool
    /// From when on a renewal is due.
    public var renewFrom: Timestamp?
    /// Until when it may be renewed.
    public var renewUntil: Timestamp?
    /// How long a running play may go on after an end by date, in seconds, where `whenOver` is `grace`.
    public var graceSeconds: Int64
    /// What a running play does when an end by date comes.
    public var whenOver: WhenOver
    /// What this version made of what was used before.
    public var ledger: Ledger

    /// Makes terms without any limit; what is counted, and how, as the catalog's defaults have it.
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

    /// The terms of a grant that is made now.
    ///
    /// It ends with the enrolment at the latest. It is due `renewAheadDays` before the earlier of end and check-in, and
    /// not before half the time until then has passed.
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

    /// How long a device may play by these terms without asking; what it counts may end it sooner.
    public var reach: PlayableReach {
        [expiresAt, checkInBy].compactMap(\.self).min().map { .until($0) } ?? .unlimited
    }
}

/// Until when something can be played without asking.
public enum PlayableReach: Sendable, Hashable {
    /// It cannot be played.
    case nothing
    /// Up to this moment, the first at which it cannot.
    case until(Timestamp)
    /// Without an end.
    case unlimited

    /// The moment; nil when there is none.
    public var moment: Timestamp? { if case .until(let moment) = self { moment } else { nil } }

    /// The longer of two.
    public func orLonger(_ other: PlayableReach) -> PlayableReach {
        switch (self, other) {
        case (.nothing, let reach), (let reach, .nothing): reach
        case (.until(let one), .until(let two)): .until(max(one, two))
        default: .unlimited
        }
    }
}

/// One version of the limits of a content license: made by the server under its signature, and never changed.
public struct ContentGrant: Sendable, Hashable {
    /// Whose content.
    public let tenant: TenantID
    /// Which license.
    public let license: ContentLicenseID
    /// Under which enrolment.
    public let enrolment: EnrolmentID
    /// Of which content.
    public let content: ContentID
    /// On which device.
    public let device: Digest
    /// The request that made the version.
    public let request: String
    /// 1 for the first; each renewal that gives anything makes it one more.
    public let version: Int64
    /// When it was made, by the server's clock.
    public let issuedAt: Timestamp
    /// What it permits.
    public let terms: ContentTerms
    /// The highest sequence of the ledger that was settled when it was made.
    public let settled: Int64

    /// Puts a grant together. It decides nothing.
    public init(
        tenant: TenantID, license: ContentLicenseID, enrolment: EnrolmentID, content: ContentID, device: Digest,
        request: String, version: Int64, issuedAt: Timestamp, terms: ContentTerms, settled: Int64
    ) {
        self.tenant = tenant
        self.license = license
        self.enrolment = enrolment
        self.content = content
        self.device = device
        self.request = request
        self.version = version
        self.issuedAt = issuedAt
        self.terms = terms
        self.settled = settled
    }
}
