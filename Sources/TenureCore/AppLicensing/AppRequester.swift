/// Who asks for app licenses: one request of one device.
public struct AppRequester: Sendable, Hashable {
    /// At whose marketplace.
    public let tenant: TenantID
    /// For whom; nil at an open marketplace.
    public let account: AccountID?
    /// SHA-256 of the device's opaque id.
    public let device: Digest
    /// The request's own number, which the device chose.
    public let request: UInt64

    /// Names a requester.
    public init(tenant: TenantID, account: AccountID?, device: Digest, request: UInt64) {
        self.tenant = tenant
        self.account = account
        self.device = device
        self.request = request
    }
}

/// What an account may do with one app, as a transaction sees it.
public struct AppRight: Sendable, Hashable {
    /// The grant; nil when the app was never granted.
    public let grant: AppGrant?
    /// The devices that hold a license of the app now; see ``AppLicense/takesPlace(at:)``.
    public let holders: Set<Digest>

    /// Puts it together.
    public init(grant: AppGrant?, holders: Set<Digest>) {
        self.grant = grant
        self.holders = holders
    }
}
