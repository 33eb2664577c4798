public import TenureCore

/// Named rules for content grants; an edit reaches a license at its next renewal.
///
/// A limit that is `nil` doesn't apply. 0 never means "no limit".
public struct ContentPolicy: Sendable, Hashable {
    /// The id by which enrolments, courses and items refer to the policy.
    public let id: ContentPolicyID

    /// How long a grant lasts, in days of 86,400 seconds.
    public var expiresAfterDays: Int?
    /// How long the content may be played after the first play, in hours.
    public var windowAfterFirstPlayHours: Int?
    /// How many times the content may be played under a grant.
    public var grantedPlays: Int?
    /// For how many seconds the content may be played under a grant.
    public var grantedPlaySeconds: Int?
    /// Which seconds ``grantedPlaySeconds`` counts.
    public var playTimeBasis: ContentTerms.Basis
    /// How many rendered seconds make a play count; 0 to count a play at its first picture.
    public var countAfterSeconds: Int
    /// How long after the player was closed a play may be continued without counting again, in seconds.
    public var resumeWithinSeconds: Int
    /// Within how many days the device has to contact the server again.
    public var checkInDays: Int?
    /// Whether the content plays only while the device can reach the server.
    public var onlineRequired: Bool
    /// Whether the player asks the user before it renews an ended license.
    public var askBeforeRenew: Bool
    /// Whether licenses can be renewed.
    public var renewable: Bool
    /// How many days before its end a grant's renewal becomes due.
    public var renewAheadDays: Int
    /// How many days after its end a grant may still be renewed; `nil` for no limit.
    public var renewAfterExpiryDays: Int?
    /// How many times a license may be renewed; `nil` for no limit.
    public var maxRenewals: Int?
    /// How a renewal treats earlier use.
    public var onRenewal: ContentTerms.Ledger
    /// How long a running play may continue after a date limit, in hours, if ``whenOver`` is `grace`.
    public var graceHours: Int
    /// What happens to a running play when a date limit is reached.
    public var whenOver: ContentTerms.WhenOver
    /// On how many devices at most an enrolment's licenses may be at the same time.
    public var deviceLimit: Int?
    /// How many times in 30 days a device may replace one that returned its licenses but may still be able to play.
    public var deviceChanges: Int?
    /// How many devices may have an enrolment's licenses, and how many others may replace them.
    public var allowance: DeviceAllowance { DeviceAllowance(limit: deviceLimit, changes: deviceChanges) }
    /// The limits for releases by the holder; `nil` if holders can't release devices.
    public var selfRelease: SelfRelease?

    /// Creates a policy with the catalog's defaults.
    ///
    /// - Parameter deviceChanges: The limit, or `.some(nil)` for no limit. If omitted, the device limit is used, but at
    ///   least 3.
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
        self.deviceChanges = deviceChanges ?? DeviceAllowance.standardChanges(for: deviceLimit)
        self.selfRelease = selfRelease
    }

    /// Whether every renewal grants all plays again and the number of renewals is unlimited; `apply` warns of such a
    /// policy.
    public var refillsPlaysForEver: Bool {
        grantedPlays != nil && renewable && onRenewal == .reset && maxRenewals == nil
    }

    /// Whether renewals are allowed but don't help once the time after the first play has passed; `apply` warns of such
    /// a policy.
    public var carriesWindow: Bool { windowAfterFirstPlayHours != nil && renewable && onRenewal == .carry }
}

extension ContentPolicy {
    /// The allowed range of a numeric member of a policy.
    public struct Bound: Sendable {
        /// The member's name in the catalog, such as `grantedPlays`.
        public let member: String
        /// The allowed values, both ends included.
        public let range: ClosedRange<Int>
        /// Returns a policy's value for the member; `nil` for no limit.
        public let value: @Sendable (ContentPolicy) -> Int?
    }

    /// The allowed ranges of the numeric members, in the catalog's order.
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

    /// The narrower ranges that Kollus's callback can carry.
    public static let kollusBounds: [Bound] = [
        Bound(member: "grantedPlays", range: 1...1_000) { $0.grantedPlays },
        Bound(member: "grantedPlaySeconds", range: 60...604_800) { $0.grantedPlaySeconds },
    ]

    /// Returns the ranges that the policy violates.
    ///
    /// - Parameter isForKollus: Whether its contents are also licensed through Kollus's callback.
    public func breaches(isForKollus: Bool) -> [Bound] {
        (Self.bounds + (isForKollus ? Self.kollusBounds : [])).filter { bound in
            bound.value(self).map { !bound.range.contains($0) } ?? false
        }
    }
}
