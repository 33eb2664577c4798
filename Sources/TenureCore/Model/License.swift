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
    public internal(set) var recordedState: LicenseState

    /// When it was granted.
    public let issuedAt: Timestamp

    /// When the first device was activated; nil while there was none.
    public internal(set) var firstActivatedAt: Timestamp?

    /// Puts a license together from what a store holds. It decides nothing.
    public init(
        id: LicenseID, product: ProductRef, key: LicenseKey, policy: PolicyID, holder: String?, term: Term,
        recordedState: LicenseState, issuedAt: Timestamp, firstActivatedAt: Timestamp?
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
    }

    /// The state at a moment: what was recorded, moved on by time.
    ///
    /// Suspension outranks expiry, and the final states outrank both.
    public func state(at now: Timestamp) -> LicenseState {
        switch recordedState {
        case .issued, .active, .expired: term.isOver(at: now) ? .expired : openState
        case .suspended, .revoked, .returned: recordedState
        }
    }

    /// The state of a license whose term is open and that nobody has stopped.
    var openState: LicenseState { firstActivatedAt == nil ? .issued : .active }
}
