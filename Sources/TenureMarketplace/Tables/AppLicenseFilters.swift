public import TenureCore

/// Which app licenses to list; what is nil does not matter.
public struct AppLicenseFilter: Sendable, Hashable {
    /// Only this tenant's.
    public var tenant: TenantID?
    /// Only this account's.
    public var account: AccountID?
    /// Only this app's.
    public var item: AppleItemID?
    /// Only this device's.
    public var device: Digest?
    /// Only those in this state at this moment.
    public var state: License.State?
    /// The moment at which the state is judged.
    public var now: Timestamp

    /// Makes a filter.
    public init(
        tenant: TenantID? = nil, account: AccountID? = nil, item: AppleItemID? = nil, device: Digest? = nil,
        state: License.State? = nil, now: Timestamp
    ) {
        self.tenant = tenant
        self.account = account
        self.item = item
        self.device = device
        self.state = state
        self.now = now
    }
}
