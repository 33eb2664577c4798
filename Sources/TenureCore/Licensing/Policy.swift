/// Named rules from which licenses are made.
///
/// Edits reach existing licenses at their next renewal or validation: nothing of a policy is frozen into a license but
/// its term (design §5).
public struct Policy: Sendable, Hashable {
    /// Its name within the product.
    public let id: PolicyID

    /// Its name for people.
    public var name: String

    /// How long a new or renewed term lasts, in days of 86,400 s; nil for perpetual licenses.
    public var durationDays: Int?

    /// How many devices may be active at once; nil for no limit.
    public var activationLimit: Int?

    /// How many devices beyond the limit may have been used lately, see ``License/activate(_:seats:devices:under:at:)``; nil
    /// for no limit, as with a limit of places that is nil.
    public var deviceChanges: Int?

    /// What its licenses allow.
    public var entitlements: [Entitlement]

    /// Whether a lapsed paying holder keeps a reduced mode (a `fallback` lease without entitlements).
    public var fallbackAccess: Bool

    /// How long a lease lasts, in days.
    public var leaseDays: Int

    /// How long use continues after the term's end, in days.
    public var graceDays: Int

    /// How far holders may release devices by themselves; nil for not at all.
    public var selfRelease: SelfRelease?

    /// Makes a policy; what is left out has the catalog's default, but for `deviceChanges`, which are not limited then.
    public init(
        id: PolicyID, name: String, durationDays: Int? = nil, activationLimit: Int? = 3,
        entitlements: [Entitlement] = [],
        fallbackAccess: Bool = false, leaseDays: Int = Policy.defaultLeaseDays, graceDays: Int = 0,
        selfRelease: SelfRelease? = nil, deviceChanges: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.durationDays = durationDays
        self.activationLimit = activationLimit
        self.deviceChanges = deviceChanges
        self.entitlements = entitlements
        self.fallbackAccess = fallbackAccess
        self.leaseDays = leaseDays
        self.graceDays = graceDays
        self.selfRelease = selfRelease
    }

    /// The moment use ends: the term's end plus grace; nil when it never does.
    public func useEnds(for term: Term) -> Timestamp? {
        term.end?.adding(days: graceDays)
    }

    /// The largest limit a policy may name: seats are counted one by one in the transaction that takes one.
    public static let highestActivationLimit = 10_000

    /// The changes of device that a policy allows which names none: a few, and for many places as many as those.
    public static func standardDeviceChanges(for limit: Int?) -> Int? { limit.map { max(3, $0) } }

    /// Until when a device counts that gives its place back at a moment: 30 days, or as long as its lease may still run.
    func countsUntil(releasedAt now: Timestamp) -> Timestamp { now.adding(days: max(Self.countedDays, leaseDays)) }

    /// How long a device counts at least after it has given its place back, in days.
    public static let countedDays = 30

    /// Seven days, as Keylight's leases last (`spec/keylight.md` §1.2).
    public static let defaultLeaseDays = 7
}

extension Policy {
    /// The term of a license granted now: as long as the policy says, unless an end is named.
    ///
    /// An end in the past makes an empty term that was over at once; it starts at its own end.
    public func term(from now: Timestamp, ending end: LicenseEdit.End? = nil) -> Term {
        switch end {
        case nil: Term(start: now, length: durationDays)
        case .never: .perpetual(from: now)
        case .at(let moment): Term(start: min(now, moment), end: moment) ?? .perpetual(from: now)
        }
    }
}

/// A named capability that a policy gives.
///
/// The name is 1 to 128 bytes of printable ASCII without space, `|` and `,`: those two separate the fields of a signed
/// lease, and one name must never read as two (`spec/keylight.md` §1.6, weak point 3).
public struct Entitlement: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// As policies give it and apps ask for it, such as `sync`.
    public let name: String

    /// Refuses a name of another shape.
    public init?(_ name: some StringProtocol) {
        let bytes = name.utf8
        let allowed = bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x7C && $0 != 0x2C }
        guard (1...128).contains(bytes.count), allowed else { return nil }
        self.name = String(name)
    }

    /// The name alone, for messages.
    public var description: String { name }

    /// Orders names by their bytes, the order of a signed lease.
    public static func < (one: Entitlement, other: Entitlement) -> Bool {
        one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
}

/// How far the holder of a license may release devices without the operator (Tenure dialect, `devices/release`).
public struct SelfRelease: Sendable, Hashable {
    /// How long after one release the next one has to wait, in days of 86,400 s; 0 for no wait.
    public var cooldownDays: Int

    /// How many releases there may be in 365 days, at least one.
    public var perYear: Int

    /// Makes a rule.
    public init(cooldownDays: Int, perYear: Int) {
        self.cooldownDays = cooldownDays
        self.perYear = perYear
    }

    /// How long a release counts, in days.
    public static let countedDays = 365

    /// The largest number that a policy may name: releases are counted one by one.
    public static let highestPerYear = 100

    /// What a holder may do now.
    public struct Standing: Sendable, Hashable {
        /// How many releases are left, the wait aside.
        public let left: Int
        /// When the next one may be; nil when it may be now.
        public let nextAt: Timestamp?

        /// States what is left.
        public init(left: Int, nextAt: Timestamp?) {
            self.left = left
            self.nextAt = nextAt
        }
    }

    /// What is left after the releases that there were.
    public func standing(after releases: [Timestamp], at now: Timestamp) -> Standing {
        let since = now.adding(days: -Self.countedDays)
        let counted = releases.filter { $0 > since }.sorted()
        var waits: [Timestamp] = []
        if counted.count >= perYear {
            waits.append(counted[counted.count - perYear].adding(days: Self.countedDays))
        }
        if let last = counted.last { waits.append(last.adding(days: cooldownDays)) }
        return Standing(left: max(0, perYear - counted.count), nextAt: waits.filter { $0 > now }.max())
    }
}
