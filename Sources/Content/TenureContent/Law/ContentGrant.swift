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
        /// It may be played to the end.
        case finish
        /// It stops at once.
        case stop
        /// It may continue for ``ContentTerms/graceSeconds``.
        case grace
    }

    /// How a new version treats earlier use.
    public enum Ledger: String, Sendable, Hashable, CaseIterable {
        /// Counting starts again: use under earlier versions doesn't count, even if it is reported later.
        case reset
        /// Earlier use keeps counting, including late reports.
        case carry
    }

    /// The first second at which the content may be played; `nil` if it may be played at once.
    public var notBefore: Timestamp?
    /// The first second at which the content can no longer be played; `nil` if the license doesn't expire.
    public var expiresAt: Timestamp?
    /// How long it may be played after the first play, in seconds.
    public var windowAfterFirstPlay: Int64?
    /// How many times the content may be played.
    public var plays: Int?
    /// For how many seconds the content may be played in total.
    public var playSeconds: Int64?
    /// Which seconds ``playSeconds`` counts.
    public var playTimeBasis: Basis
    /// How many rendered seconds make a play count.
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

extension ContentGrant {
    /// How long something can be played without contacting the server.
    public enum PlayableReach: Sendable, Hashable {
        /// It can't be played.
        case nothing
        /// Until this time, the first second at which it can't be played.
        case until(Timestamp)
        /// Without an end date; only a stop by the server ends it.
        case unlimited

        /// The end date; `nil` if the content can't be played at all or can be played without an end.
        public var end: Timestamp? { if case .until(let time) = self { time } else { nil } }

        /// Returns the longer of the two.
        public func orLonger(_ other: ContentGrant.PlayableReach) -> ContentGrant.PlayableReach {
            switch (self, other) {
            case (.nothing, let reach), (let reach, .nothing): reach
            case (.until(let one), .until(let two)): .until(max(one, two))
            default: .unlimited
            }
        }
    }
}

/// One version of a content license's limits, which the server signs and never changes.
public struct ContentGrant: Sendable, Hashable {
    /// The tenant that owns the content.
    public let tenant: TenantID
    /// The license that this is a version of.
    public let license: ContentLicenseID
    /// The enrolment under which the version was issued.
    public let enrolment: EnrolmentID
    /// The content item that may be played.
    public let content: ContentID
    /// The digest of the id of the only device that may use the grant.
    public let device: Digest
    /// The id of the request that the version was issued for.
    public let request: String
    /// The version number, which starts at 1 and grows by 1 with each renewal.
    public let version: Int64
    /// When the version was issued, by the server's clock.
    public let issuedAt: Timestamp
    /// The limits and counting rules of this version.
    public let terms: ContentTerms
    /// The highest sequence of the device's ledger that the server had received when it issued the version.
    public let settled: Int64

    /// Creates a grant from its parts without checking any rule.
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
