package import TenureCore

/// The conditions for listing app licenses; a condition that is `nil` matches every license.
package struct AppLicenseFilter: Sendable, Hashable {
    package var tenant: TenantID?
    package var account: AccountID?
    package var item: AppleItemID?
    package var device: Digest?
    /// The state to match at ``now``.
    package var state: LifecycleState?
    /// Whether to match licenses that a newer license of the device has replaced.
    package var includesReplaced: Bool
    /// The time at which the state is determined.
    package var now: Timestamp

    package init(
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
