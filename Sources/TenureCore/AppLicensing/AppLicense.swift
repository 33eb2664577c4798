/// One license of one app on one device.
///
/// A renewal names nothing but its id, so everything that is needed to write it again is remembered here
/// (`spec/apple.md` §2).
public struct AppLicense: Sendable, Hashable {
    /// Its name on this server and on the wire: 1...2^63 - 2.
    public let id: LicenseID

    /// Whose marketplace.
    public let tenant: TenantID

    /// What was licensed: app, version and variant.
    public let asset: AssetRef

    /// Whose right it rests on; nil at an open marketplace.
    public let account: AccountID?

    /// SHA-256 of the device's opaque id.
    public let device: Digest

    /// The request that it was first issued for: sent again, it gets the same license.
    public let request: UInt64

    /// When it was first issued.
    public let issuedAt: Timestamp

    /// The present term: it starts when it was issued or last renewed.
    public internal(set) var term: Term

    /// The request that the present term was given for; the same one sent again changes nothing.
    public internal(set) var termRequest: UInt64

    /// The state as last recorded: `active`, `suspended`, `revoked` or `returned`; time may have expired it since.
    public internal(set) var recordedState: License.State

    /// When it was stopped, if it is: suspended, revoked or returned.
    public internal(set) var stoppedAt: Timestamp?

    /// When a renewal in the present term was last refused; nil when none was.
    public internal(set) var failedAt: Timestamp?

    /// Whether a later license of the same app went to the same device, so that this one need not be renewed.
    public internal(set) var isReplaced: Bool

    /// Until when its device counts among the account's although its person gave the license back: the device may not know
    /// yet. Nil for any other.
    public internal(set) var countsUntil: Timestamp?

    /// Puts a license together from what a store holds. It decides nothing.
    public init(
        id: LicenseID, tenant: TenantID, asset: AssetRef, account: AccountID?, device: Digest, request: UInt64,
        issuedAt: Timestamp, term: Term, termRequest: UInt64, recordedState: License.State = .active,
        stoppedAt: Timestamp? = nil, failedAt: Timestamp? = nil, isReplaced: Bool = false,
        countsUntil: Timestamp? = nil
    ) {
        self.id = id
        self.tenant = tenant
        self.asset = asset
        self.account = account
        self.device = device
        self.request = request
        self.issuedAt = issuedAt
        self.term = term
        self.termRequest = termRequest
        self.recordedState = recordedState
        self.stoppedAt = stoppedAt
        self.failedAt = failedAt
        self.isReplaced = isReplaced
        self.countsUntil = countsUntil
    }

    /// What is licensed, whatever its version and variant.
    public var item: AppleItemID { asset.item }

    /// The state at a moment: what was recorded, moved on by time.
    public func state(at now: Timestamp) -> License.State {
        guard recordedState.isOpen else { return recordedState }
        return term.isOver(at: now) ? .expired : .active
    }

    /// Whether it takes one of the account's places for the app: running or suspended, its term not over.
    public func takesPlace(at now: Timestamp) -> Bool { !recordedState.isFinal && !term.isOver(at: now) }
}

extension AppLicense {
    /// An event about this license.
    func event(
        _ kind: EventKind, by actor: Actor, at now: Timestamp, _ detail: [Reason.Evidence] = []
    ) -> Event {
        Event(
            kind, at: now, actor: actor, about: .init(tenant: tenant, app: item, account: account, license: id),
            facts: detail)
    }
}

extension LicenseID {
    /// Makes a name for an app license: never 0, and below 2^63 - 1, as devices demand (`spec/apple.md` §1).
    public static func randomForApp(using generator: inout some RandomNumberGenerator) -> LicenseID {
        let number = Int64.random(in: 1 ..< .max, using: &generator)
        return LicenseID(number: number) ?? random(using: &generator)
    }
}

/// What a decision about app licenses changes, to be saved in one transaction.
public struct AppConsequences: Sendable, Hashable {
    /// The licenses to save, new or changed.
    public var licenses: [AppLicense]

    /// The grant to save, when it changes.
    public var grant: AppGrant?

    /// What is to be recorded of it.
    public var events: [Event]

    /// Puts consequences together.
    public init(licenses: [AppLicense] = [], grant: AppGrant? = nil, events: [Event] = []) {
        self.licenses = licenses
        self.grant = grant
        self.events = events
    }

    /// Nothing changes.
    public static let none = AppConsequences()

    /// Whether nothing changes.
    public var isEmpty: Bool { self == .none }
}
