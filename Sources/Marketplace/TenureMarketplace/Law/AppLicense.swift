public import TenureCore

/// A license of an app on one device.
///
/// A renewal request carries only the license's id, so the record keeps everything needed to write the license again.
public struct AppLicense: Sendable, Hashable {
    /// The license's id on this server and in Apple's protocol: 1...2^63 - 2.
    public let id: LicenseID

    /// The tenant whose marketplace issued the license.
    public let tenant: TenantID

    /// The licensed app, version and variant.
    public let asset: AssetRef

    /// The account whose grant the license is based on; `nil` at an open marketplace.
    public let account: AccountID?

    /// The SHA-256 digest of the device's opaque id.
    public let device: Digest

    /// The number of the request that the license was first issued for; repeating it returns the same license.
    public let request: UInt64

    /// When the license was first issued.
    public let issuedAt: Timestamp

    /// The current term, which started when the license was issued or last renewed.
    public internal(set) var term: Term

    /// The number of the request that the current term was issued for; repeating it changes nothing.
    public internal(set) var termRequest: UInt64

    /// The state as last recorded: `active`, `suspended`, `revoked` or `returned`.
    ///
    /// Use ``state(at:)`` to take the passing of time into account.
    public internal(set) var recordedState: LifecycleState

    /// When the license was suspended, revoked or returned; `nil` if it wasn't.
    public internal(set) var stoppedAt: Timestamp?

    /// When a renewal in the current term was last refused; `nil` if no renewal was refused.
    public internal(set) var failedAt: Timestamp?

    /// The digest of the key blob with which the license couldn't be written at ``failedAt``; `nil` if the
    /// renewal was refused for another reason.
    public internal(set) var failedKey: Digest?

    /// Whether the same device got another license of the app and account since this license's term started. Also
    /// `true` if the license never reached the device (``isUndelivered``).
    ///
    /// The mark is removed if the device renews the license: after a failed update, the device still has it.
    public internal(set) var isReplaced: Bool

    /// Until when the device still counts towards the account's device limit after the customer returned the license;
    /// `nil` otherwise.
    ///
    /// The device may not know yet that the license was returned.
    public internal(set) var countsUntil: Timestamp?

    /// Creates a license from a stored record without checking any rule.
    public init(
        id: LicenseID, tenant: TenantID, asset: AssetRef, account: AccountID?, device: Digest, request: UInt64,
        issuedAt: Timestamp, term: Term, termRequest: UInt64, recordedState: LifecycleState = .active,
        stoppedAt: Timestamp? = nil, failedAt: Timestamp? = nil, isReplaced: Bool = false,
        countsUntil: Timestamp? = nil, failedKey: Digest? = nil
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
        self.failedKey = failedKey
    }

    /// The app, regardless of version and variant.
    public var item: AppleItemID { asset.item }

    /// The state at this time: the recorded state, or `expired` once the term has ended.
    public func state(at now: Timestamp) -> LifecycleState {
        guard recordedState.isOpen else { return recordedState }
        return term.isOver(at: now) ? .expired : .active
    }

    /// Whether the license counts towards the account's device limit: not revoked or returned, and within its term.
    public func isDeviceActive(at now: Timestamp) -> Bool { !recordedState.isFinal && !term.isOver(at: now) }
}

extension AppLicense {
    /// Creates an event that refers to this license, its app, its account and its tenant.
    func event(
        _ kind: EventKind, by actor: Actor, at now: Timestamp, _ detail: [Reason.Evidence] = []
    ) -> Event {
        Event(
            kind, at: now, actor: actor, about: .init(tenant: tenant, app: item, account: account, license: id),
            facts: detail)
    }
}

extension LicenseID {
    /// Generates an id for an app license.
    ///
    /// Devices require an id that is neither 0 nor 2^63 - 1 (Apple's documentation).
    public static func randomForApp(using generator: inout some RandomNumberGenerator) -> LicenseID {
        let number = Int64.random(in: 1 ..< .max, using: &generator)
        return LicenseID(number: number) ?? random(using: &generator)
    }
}

extension AppLicense {
    /// The licenses, the grant and the events that a decision about app licenses changes, to be saved in one
    /// transaction.
    public struct Consequences: Sendable, Hashable {
        /// The new or changed licenses to save.
        public var licenses: [AppLicense] = []

        /// The grant to save; `nil` if it doesn't change.
        public var grant: AppGrant?

        /// The events to record in the same transaction.
        public var events: [Event] = []

        /// The consequences of a decision that changes nothing.
        public static let none = AppLicense.Consequences()

        /// Whether there is nothing to save.
        public var isEmpty: Bool { self == .none }
    }
}

extension Sequence<AppLicense> {
    /// One license for each device, account and app: the license whose term started last, in the sequence's order.
    ///
    /// A device has one license of an app, even if an interrupted update left others that it could still renew. An
    /// undelivered license is chosen only if the device has no other.
    public var currentOfEachDevice: [AppLicense] {
        var newest: [AppLicense.DeviceAppKey: AppLicense] = [:]
        for license in self {
            if let other = newest[license.deviceAppKey], other.isMoreCurrent(than: license) { continue }
            newest[license.deviceAppKey] = license
        }
        return filter { newest[$0.deviceAppKey]?.id == $0.id }
    }
}

extension AppLicense {
    /// Identifies the licenses of one app, device and account.
    package struct DeviceAppKey: Sendable, Hashable {
        let tenant: TenantID
        let account: AccountID?
        let device: Digest
        let item: AppleItemID
    }

    /// The app, device and account of the license.
    package var deviceAppKey: DeviceAppKey {
        DeviceAppKey(tenant: tenant, account: account, device: device, item: item)
    }

    fileprivate func isMoreCurrent(than other: AppLicense) -> Bool {
        if isUndelivered != other.isUndelivered { return !isUndelivered }
        if isReplaced != other.isReplaced { return !isReplaced }
        return (term.start, issuedAt, id) > (other.term.start, other.issuedAt, other.id)
    }
}
