public import TenureCore

/// How a person names a license.
public struct LicenseName: Sendable, Hashable {
    /// By its id or by the hash of its key.
    public enum Text: Sendable, Hashable {
        /// Its id.
        case id(LicenseID)
        /// SHA-256 of its key's normal form.
        case key(Digest)
    }

    /// The name.
    public var text: Text
    /// Only this tenant's licenses; nil for all.
    public var tenant: TenantID?
    /// Only this product's licenses; nil for all.
    public var product: ProductID?

    /// Names a license.
    public init(_ text: Text, tenant: TenantID? = nil, product: ProductID? = nil) {
        self.text = text
        self.tenant = tenant
        self.product = product
    }
}

/// Which licenses to list; what is nil does not matter.
public struct LicenseFilter: Sendable, Hashable {
    /// Only this tenant's.
    public var tenant: TenantID?
    /// Only this product's.
    public var product: ProductID?
    /// Only those under this policy.
    public var policy: PolicyID?
    /// Only this holder's, compared exactly.
    public var holder: String?
    /// Only those in this state at this moment.
    public var state: License.State?
    /// The moment at which the state is judged.
    public var now: Timestamp

    /// Makes a filter.
    public init(
        tenant: TenantID? = nil, product: ProductID? = nil, policy: PolicyID? = nil, holder: String? = nil,
        state: License.State? = nil, now: Timestamp
    ) {
        self.tenant = tenant
        self.product = product
        self.policy = policy
        self.holder = holder
        self.state = state
        self.now = now
    }
}
