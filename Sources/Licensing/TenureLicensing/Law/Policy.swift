public import TenureCore

/// Named rules that licenses of a product follow.
///
/// An edit reaches existing licenses at their next renewal or validation. A license stores only its own term.
public struct Policy: Sendable, Hashable {
    /// The policy's id within the product.
    public let id: PolicyID

    /// The policy's name as shown to customers.
    public var name: String

    /// The length of a new or renewed term; `nil` for perpetual licenses.
    public var duration: TermLength?

    /// When the term of a license starts; without a duration, always when the license is issued.
    public var termStarts: TermStart

    /// How long after the issue a term starts at the latest, activated or not; `nil` for no limit.
    ///
    /// It has no effect if terms start when licenses are issued.
    public var startBy: TermLength?

    /// How many devices may be active at the same time, unless a license has a limit of its own; `nil` for no limit.
    public var activationLimit: Int?

    /// How many devices beyond the activation limit may have used a license recently; `nil` for no limit.
    ///
    /// It has no effect without an activation limit. See ``License/activate(_:activations:devices:under:at:)`` and
    /// ``allowance(of:)``.
    public var deviceChanges: Int?

    /// The capabilities that the policy includes.
    public var entitlements: [Entitlement]

    /// Whether the app keeps a reduced mode after the term has ended (a `fallback` lease without entitlements).
    public var fallbackAccess: Bool

    /// How long a lease is valid, in days.
    public var leaseDays: Int

    /// How long the license may be used after its term has ended, in days.
    public var graceDays: Int

    /// The limits for releases by the holder; `nil` if holders can't release devices.
    public var selfRelease: SelfRelease?

    /// The `https` address where customers renew licenses under this policy; `nil` for the product's.
    public var renewURL: String?

    /// Creates a policy.
    ///
    /// The defaults are those of the catalog, except that `deviceChanges` defaults to no limit.
    public init(
        id: PolicyID, name: String, duration: TermLength? = nil, activationLimit: Int? = 3,
        entitlements: [Entitlement] = [],
        fallbackAccess: Bool = false, leaseDays: Int = Policy.defaultLeaseDays, graceDays: Int = 0,
        selfRelease: SelfRelease? = nil, deviceChanges: Int? = nil, termStarts: TermStart = .issue,
        startBy: TermLength? = nil, renewURL: String? = nil
    ) {
        self.id = id
        self.name = name
        self.duration = duration
        self.termStarts = termStarts
        self.startBy = startBy
        self.activationLimit = activationLimit
        self.deviceChanges = deviceChanges
        self.entitlements = entitlements
        self.fallbackAccess = fallbackAccess
        self.leaseDays = leaseDays
        self.graceDays = graceDays
        self.selfRelease = selfRelease
        self.renewURL = renewURL
    }

    /// Returns the end of use: the end of the term plus grace; `nil` if the term never ends.
    public func useEnds(for term: Term) -> Timestamp? {
        term.end.map { $0.adding(days: graceDays).bounded(from: $0) }
    }

    /// The largest activation limit allowed, since activations are counted individually in a transaction.
    public static let highestActivationLimit = 10_000

    /// Returns until when a device that is released now counts against ``deviceChanges``: for 30 days, or longer if its
    /// lease may still be valid.
    package func countsUntil(releasedAt now: Timestamp) -> Timestamp {
        now.adding(days: max(DeviceAllowance.countedDays, leaseDays))
    }

    /// The default validity of a lease in days, as in Keylight.
    public static let defaultLeaseDays = 7
}

extension Policy {
    /// Returns the term of a license that starts now.
    public func term(from now: Timestamp) -> Term { Term(start: now, lasting: duration) }

    /// Whether terms under the other policy differ in kind: only one policy has a duration, or their terms start at
    /// different times.
    package func termsDiffer(from other: Policy) -> Bool {
        guard duration != nil, other.duration != nil else { return duration != other.duration }
        return termStarts != other.termStarts
    }

    /// Whether changes move a license from this policy to one whose terms differ in kind, without saying what happens
    /// to its end.
    package func leavesEndOpen(_ changes: [LicenseTerms.FieldChange], movingTo new: Policy) -> Bool {
        termsDiffer(from: new) && !changes.contains(where: \.isAboutEnd)
    }
}

/// A named capability that a policy includes.
///
/// The name is 1 to 128 bytes of printable ASCII without space, `|` and `,`. `|` and `,` separate the values in a
/// signed lease, so a name that contained one of them could be read as two values.
public struct Entitlement: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The name used in policies and by apps, such as `sync`.
    public let name: String

    /// Creates an entitlement; returns `nil` if the name has another length or other characters.
    public init?(_ name: some StringProtocol) {
        let bytes = name.utf8
        let allowed = bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x7C && $0 != 0x2C }
        guard (1...128).contains(bytes.count), allowed else { return nil }
        self.name = String(name)
    }

    /// The name itself, for messages.
    public var description: String { name }

    /// Compares the names' bytes, which determine the order in a signed lease.
    public static func < (one: Entitlement, other: Entitlement) -> Bool {
        one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
}
