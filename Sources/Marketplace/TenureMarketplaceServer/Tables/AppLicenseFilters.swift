public import TenureCore

/// Which app licenses to list; `nil` matches everything.
public struct AppLicenseFilter: Sendable, Hashable {
    /// The tenant to match.
    public var tenant: TenantID?
    /// The account to match.
    public var account: AccountID?
    /// The app to match.
    public var item: AppleItemID?
    /// The device to match.
    public var device: Digest?
    /// The state to match at ``now``.
    public var state: LifecycleState?
    /// Whether to match licenses that a newer one of the device has replaced.
    public var includesReplaced: Bool
    /// The time at which the state is determined.
    public var now: Timestamp

    /// Creates a filter from its parts.
    public init(
        tenant: TenantID? = nil, account: AccountID? = nil, item: AppleItemID? = nil, device: Digest? = nil,
        state: LifecycleState? = nil, includesReplaced: Bool = true, now: Timestamp
    ) {
        self.tenant = tenant
        self.account = account
        self.item = item
        self.device = device
        self.state = state
        self.includesReplaced = includesReplaced
        self.now = now
    }
}
