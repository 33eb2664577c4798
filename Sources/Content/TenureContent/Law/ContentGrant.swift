public import TenureCore

extension ContentGrant {
    /// How long something can be played without contacting the server.
    public enum PlayableReach: Sendable, Hashable {
        /// The content can't be played.
        case nothing
        /// The content can be played until this time, the first second at which it can't be played.
        case until(Timestamp)
        /// The content can be played without an end date; only a stop by the server ends it.
        case unlimited

        /// The end date; `nil` if the content can't be played at all or can be played without an end.
        public var end: Timestamp? { if case .until(let time) = self { time } else { nil } }

        /// Returns this value or the other one, whichever allows playing for longer.
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
    /// The license that this grant is a version of.
    public let license: ContentLicenseID
    /// The enrolment under which the version was issued.
    public let enrolment: EnrolmentID
    /// The content item that may be played.
    public let content: ContentID
    /// The digest of the id of the only device that may use the grant.
    public let device: Digest
    /// The id of the request that the version was issued for.
    public let request: String
    /// The version number, which starts at 1 and increases by 1 with each renewal.
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
