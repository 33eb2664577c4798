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
    public var playTimeBasis = ContentTerms.Basis.media
    /// How many seconds a play must render before it counts towards ``grantedPlays``; 0 to count it at its first
    /// picture.
    public var countAfterSeconds = 0
    /// How long after the player was closed a play may be continued without counting again, in seconds.
    public var resumeWithinSeconds = 600
    /// Within how many days the device has to contact the server again.
    public var checkInDays: Int?
    /// Whether the content plays only while the device can reach the server.
    public var onlineRequired = false
    /// Whether the player asks the user before it renews an ended license.
    public var askBeforeRenew = false
    /// Whether licenses can be renewed at all.
    public var renewable = true
    /// How many days before its end a grant's renewal becomes due.
    public var renewAheadDays = 3
    /// How many days after its end a grant may still be renewed; `nil` for no limit.
    public var renewAfterExpiryDays: Int?
    /// How many times a license may be renewed; `nil` for no limit.
    public var maxRenewals: Int?
    /// How a renewal treats earlier use.
    public var onRenewal = ContentTerms.Ledger.reset
    /// How long a running play may continue after a date limit, in hours, if ``whenOver`` is `grace`.
    public var graceHours = 0
    /// What happens to a running play when a date limit is reached.
    public var whenOver = ContentTerms.WhenOver.finish
    /// The maximum number of devices that may have an enrolment's licenses at the same time; `nil` for no limit.
    public var deviceLimit: Int? = Self.standardDeviceLimit
    /// How many times in 30 days a device may take the place of one that returned its licenses, but can perhaps still
    /// play.
    ///
    /// It's `nil` for no limit, and doesn't follow a later change of ``deviceLimit``.
    public var deviceChanges = DeviceAllowance.standardChanges(for: Self.standardDeviceLimit)
    /// How many devices may have an enrolment's licenses, and how many others may replace them within 30 days.
    public var allowance: DeviceAllowance { DeviceAllowance(limit: deviceLimit, changes: deviceChanges) }
    /// The limits for releases by the holder; `nil` if holders can't release devices.
    public var selfRelease: SelfRelease?

    private static let standardDeviceLimit = 3

    /// Creates a policy with the catalog's defaults.
    public init(id: ContentPolicyID) { self.id = id }

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
    /// The range of a limit that Kollus's callback can carry.
    public struct KollusBound: Sendable {
        /// The limit's name in a catalog file, such as `grantedPlays`.
        public let member: String
        /// The values that the callback can carry, both ends included.
        public let range: ClosedRange<Int>
        /// Returns a policy's value for the limit; `nil` for no limit.
        public let value: @Sendable (ContentPolicy) -> Int?
    }

    /// The ranges of all limits that Kollus's callback can carry. They are narrower than the catalog's.
    public static let kollusBounds: [KollusBound] = [
        KollusBound(member: "grantedPlays", range: 1...1_000) { $0.grantedPlays },
        KollusBound(member: "grantedPlaySeconds", range: 60...604_800) { $0.grantedPlaySeconds },
    ]

    /// The limits of the policy that Kollus's callback can't carry. They matter only if the policy's contents are also
    /// licensed through the callback.
    public var kollusBreaches: [KollusBound] {
        Self.kollusBounds.filter { bound in bound.value(self).map { !bound.range.contains($0) } ?? false }
    }
}
