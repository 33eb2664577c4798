/// Named rules from which content grants are made. Edits reach a license at its next renewal.
///
/// Nil means no limit, everywhere; 0 never does.
public struct ContentPolicy: Sendable, Hashable {
    /// Its name within the tenant's content.
    public let id: ContentPolicyID

    /// How long a grant lasts, in days of 86,400 s.
    public var expiresAfterDays: Int?
    /// How long it lasts from the first play, in hours.
    public var windowAfterFirstPlayHours: Int?
    /// How many plays it has.
    public var grantedPlays: Int?
    /// How many seconds of playing it has.
    public var grantedPlaySeconds: Int?
    /// Which seconds those are.
    public var playTimeBasis: ContentTerms.Basis
    /// How many rendered seconds make a play count; 0 for the first picture.
    public var countAfterSeconds: Int
    /// How long after it rested a play may go on without counting again, in seconds.
    public var resumeWithinSeconds: Int
    /// Within how many days the device has to ask again.
    public var checkInDays: Int?
    /// Whether it plays only while the server answers.
    public var onlineRequired: Bool
    /// Whether the player asks the person before it renews what has ended.
    public var askBeforeRenew: Bool
    /// Whether it is renewed at all.
    public var renewable: Bool
    /// How many days before its end a grant is due.
    public var renewAheadDays: Int
    /// For how many days after its end it may still be renewed; nil for ever.
    public var renewAfterExpiryDays: Int?
    /// How often it may be renewed.
    public var maxRenewals: Int?
    /// What a renewal makes of what was used.
    public var onRenewal: ContentTerms.Ledger
    /// How long a running play may go on after an end by date, in hours, where `whenOver` is `grace`.
    public var graceHours: Int
    /// What a running play does when an end by date comes.
    public var whenOver: ContentTerms.WhenOver
    /// On how many devices of an enrolment there may be licenses at once.
    public var deviceLimit: Int?
    /// How often in 30 days a held place may be taken early.
    public var deviceChanges: Int?
    /// How far holders may release devices by themselves; nil for not at all.
    public var selfRelease: SelfRelease?

    /// Makes a policy; what is left out has the catalog's default.
    /// - Parameter deviceChanges: Nil in the outer optional for the default, the limit and at least 3.
    public init(
        id: ContentPolicyID, expiresAfterDays: Int? = nil, windowAfterFirstPlayHours: Int? = nil,
        grantedPlays: Int? = nil, grantedPlaySeconds: Int? = nil, playTimeBasis: ContentTerms.Basis = .media,
        countAfterSeconds: Int = 0, resumeWithinSeconds: Int = 600, checkInDays: Int? = nil,
        onlineRequired: Bool = false, askBeforeRenew: Bool = false, renewable: Bool = true, renewAheadDays: Int = 3,
        renewAfterExpiryDays: Int? = nil, maxRenewals: Int? = nil, onRenewal: ContentTerms.Ledger = .reset,
        graceHours: Int = 0, whenOver: ContentTerms.WhenOver = .finish, deviceLimit: Int? = 3,
        deviceChanges: Int?? = .none, selfRelease: SelfRelease? = nil
    ) {
        self.id = id
        self.expiresAfterDays = expiresAfterDays
        self.windowAfterFirstPlayHours = windowAfterFirstPlayHours
        self.grantedPlays = grantedPlays
        self.grantedPlaySeconds = grantedPlaySeconds
        self.playTimeBasis = playTimeBasis
        self.countAfterSeconds = countAfterSeconds
        self.resumeWithinSeconds = resumeWithinSeconds
        self.checkInDays = checkInDays
        self.onlineRequired = onlineRequired
        self.askBeforeRenew = askBeforeRenew
        self.renewable = renewable
        self.renewAheadDays = renewAheadDays
        self.renewAfterExpiryDays = renewAfterExpiryDays
        self.maxRenewals = maxRenewals
        self.onRenewal = onRenewal
        self.graceHours = graceHours
        self.whenOver = whenOver
        self.deviceLimit = deviceLimit
        self.deviceChanges = deviceChanges ?? deviceLimit.map { max(3, $0) }
        self.selfRelease = selfRelease
    }

    /// Whether every renewal gives all plays again, without an end: what `apply` says of such a policy.
    public var refillsPlaysForEver: Bool {
        grantedPlays != nil && renewable && onRenewal == .reset && maxRenewals == nil
    }
}

extension ContentPolicy {
    /// What a member of a policy may be.
    public struct Bound: Sendable {
        /// The member, as the catalog calls it.
        public let member: String
        /// What it may be.
        public let range: ClosedRange<Int>
        /// What a policy has there; `nil` for no limit.
        public let value: @Sendable (ContentPolicy) -> Int?
    }

    /// What members with a number may be, in the order of the catalog.
    public static let bounds: [Bound] = [
        Bound(member: "expiresAfterDays", range: 1...36_500) { $0.expiresAfterDays },
        Bound(member: "windowAfterFirstPlayHours", range: 1...876_000) { $0.windowAfterFirstPlayHours },
        Bound(member: "grantedPlays", range: 1...1_000_000) { $0.grantedPlays },
        Bound(member: "grantedPlaySeconds", range: 1...Int(Int32.max)) { $0.grantedPlaySeconds },
        Bound(member: "countAfterSeconds", range: 0...86_400) { $0.countAfterSeconds },
        Bound(member: "resumeWithinSeconds", range: 0...604_800) { $0.resumeWithinSeconds },
        Bound(member: "checkInDays", range: 1...36_500) { $0.checkInDays },
        Bound(member: "renewAheadDays", range: 0...365) { $0.renewAheadDays },
        Bound(member: "renewAfterExpiryDays", range: 0...36_500) { $0.renewAfterExpiryDays },
        Bound(member: "maxRenewals", range: 0...1_000_000) { $0.maxRenewals },
        Bound(member: "graceHours", range: 0...8_760) { $0.graceHours },
        Bound(member: "deviceLimit", range: 1...1_000) { $0.deviceLimit },
        Bound(member: "deviceChanges", range: 0...1_000) { $0.deviceChanges },
    ]

    /// What Kollus's callback can carry (`spec/content.md` §1.3).
    public static let kollusBounds: [Bound] = [
        Bound(member: "grantedPlays", range: 1...1_000) { $0.grantedPlays },
        Bound(member: "grantedPlaySeconds", range: 60...604_800) { $0.grantedPlaySeconds },
    ]

    /// The bounds that the policy breaks.
    /// - Parameter isForKollus: Whether its contents are also licensed over Kollus's callback.
    public func breaches(isForKollus: Bool) -> [Bound] {
        (Self.bounds + (isForKollus ? Self.kollusBounds : [])).filter { bound in
            bound.value(self).map { !bound.range.contains($0) } ?? false
        }
    }
}
