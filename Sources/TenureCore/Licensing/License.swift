/// One grant of a product to a holder under a policy.
public struct License: Sendable, Hashable {
    /// Its name on this server.
    public let id: LicenseID

    /// What it is a license for.
    public let product: ProductRef

    /// The key that names it.
    public internal(set) var key: LicenseKey

    /// The rules it was made from.
    public internal(set) var policy: PolicyID

    /// Whom it was granted to: opaque text such as an e-mail, or nil when nobody was named.
    public internal(set) var holder: String?

    /// What it is granted for.
    public internal(set) var term: Term

    /// The state as last recorded; time may have moved it since: ask ``state(at:)``.
    public internal(set) var recordedState: License.State

    /// When it was granted.
    public let issuedAt: Timestamp

    /// When the first device was activated; nil while there was none.
    public internal(set) var firstActivatedAt: Timestamp?

    /// Until when any device counts that has given back its place; nil where none has, as far as that was written down.
    public internal(set) var devicesCountUntil: Timestamp?

    /// Puts a license together from what a store holds. It decides nothing.
    public init(
        id: LicenseID, product: ProductRef, key: LicenseKey, policy: PolicyID, holder: String?, term: Term,
        recordedState: License.State, issuedAt: Timestamp, firstActivatedAt: Timestamp?,
        devicesCountUntil: Timestamp? = nil
    ) {
        self.id = id
        self.product = product
        self.key = key
        self.policy = policy
        self.holder = holder
        self.term = term
        self.recordedState = recordedState
        self.issuedAt = issuedAt
        self.firstActivatedAt = firstActivatedAt
        self.devicesCountUntil = devicesCountUntil
    }

    /// The state at a moment: what was recorded, moved on by time.
    ///
    /// Suspension outranks expiry, and the final states outrank both.
    public func state(at now: Timestamp) -> License.State {
        guard recordedState.isOpen else { return recordedState }
        return term.isOver(at: now) ? .expired : openState
    }

    /// The state of a license whose term is open and that nobody has stopped.
    var openState: License.State { firstActivatedAt == nil ? .issued : .active }
}

extension License {
    /// Where a license stands, of a product or of an app. Only acts and time move it; see
    /// `Documentation/license-states.md`.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Granted, never activated.
        case issued
        /// Activated at least once.
        case active
        /// Stopped by the operator, reversibly.
        case suspended
        /// Its term has ended; a renewal brings it back.
        case expired
        /// Stopped by the operator, finally.
        case revoked
        /// Given back by its holder, finally.
        case returned

        /// Whether no act can bring the license back.
        public var isFinal: Bool { License.chart.isFinal(self) }

        /// Whether nobody has stopped the license: only time stands between it and use.
        var isOpen: Bool { License.chart.isOpen(self) }
    }

    /// How acts move a license of a product, and in which words it refuses.
    static let chart = StateChart<State>(
        .final(.revoked, .licenseRevoked), .final(.returned, .licenseReturned),
        .reversible(.suspended, .licenseSuspended))
}

/// What a decision changes, to be saved in one transaction; empty when everything is already as it was asked to be.
public struct Consequences: Sendable, Hashable {
    /// The license to save, when it changes.
    public var license: License?

    /// The activation to save, new, released or restored, when one changes.
    public var activation: Activation?

    /// The key to remember that the license has no longer.
    public var formerKey: FormerKey?

    /// What is to be recorded of it.
    public var events: [Event]

    /// Puts consequences together.
    public init(
        license: License? = nil, activation: Activation? = nil, formerKey: FormerKey? = nil, events: [Event] = []
    ) {
        self.license = license
        self.activation = activation
        self.formerKey = formerKey
        self.events = events
    }

    /// Nothing changes.
    public static let none = Consequences()

    /// Whether nothing changes.
    public var isEmpty: Bool { self == .none }
}
