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

    /// What its licenses allow.
    public var entitlements: [Entitlement]

    /// Whether a lapsed paying holder keeps a reduced mode (a `fallback` lease without entitlements; seed 004).
    public var fallbackAccess: Bool

    /// How long a lease lasts, in days.
    public var leaseDays: Int

    /// How long use continues after the term's end, in days.
    public var graceDays: Int

    /// How far holders may release devices by themselves; nil for not at all.
    public var selfRelease: SelfRelease?

    /// Makes a policy; what is left out has the catalog's default.
    public init(
        id: PolicyID, name: String, durationDays: Int? = nil, activationLimit: Int? = 3,
        entitlements: [Entitlement] = [],
        fallbackAccess: Bool = false, leaseDays: Int = Policy.defaultLeaseDays, graceDays: Int = 0,
        selfRelease: SelfRelease? = nil
    ) {
        self.id = id
        self.name = name
        self.durationDays = durationDays
        self.activationLimit = activationLimit
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
