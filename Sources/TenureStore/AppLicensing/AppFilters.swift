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

/// How many app licenses are about to expire: a device tries about once to renew one (`spec/apple.md` §2).
///
/// Replaced, stopped and perpetual licenses do not count.
public struct RenewalRisk: Sendable, Hashable {
    /// How many of a tenant's licenses end within a time from now, and of those, how many had a renewal refused.
    public struct Count: Sendable, Hashable {
        /// How many end.
        public var expiring: Int
        /// How many of those were refused renewal in their present term.
        public var failed: Int

        /// Pairs the two.
        public init(expiring: Int = 0, failed: Int = 0) {
            self.expiring = expiring
            self.failed = failed
        }
    }

    /// Whose licenses.
    public let tenant: TenantID
    /// Within the next 24 hours.
    public var day: Count
    /// Within the next 7 days, the next 24 hours included.
    public var week: Count

    /// Puts it together.
    public init(tenant: TenantID, day: Count, week: Count) {
        self.tenant = tenant
        self.day = day
        self.week = week
    }
}
