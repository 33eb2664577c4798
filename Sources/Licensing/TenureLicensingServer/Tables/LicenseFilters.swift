public import TenureCore
public import TenureLicensing

/// A query for a license by the id or key that a person entered.
public struct LicenseName: Sendable, Hashable {
    /// The id, or the hash of the key.
    public enum Text: Sendable, Hashable {
        /// A license id, such as commands and responses show it.
        case id(LicenseID)
        /// SHA-256 of the key's normal form.
        case key(Digest)
    }

    /// The id or key hash to search for.
    public var text: Text
    /// Only this tenant's licenses; `nil` for those of all tenants.
    public var tenant: TenantID?
    /// Only licenses of the product with this id; `nil` for all products.
    public var product: ProductID?

    /// Creates a query for an id or a key; by default, of any tenant and product.
    public init(_ text: Text, tenant: TenantID? = nil, product: ProductID? = nil) {
        self.text = text
        self.tenant = tenant
        self.product = product
    }
}

/// Which licenses to list; `nil` in a member means no restriction.
public struct LicenseFilter: Sendable, Hashable {
    /// Only this tenant's licenses; `nil` for those of all tenants.
    public var tenant: TenantID?
    /// Only licenses of the product with this id; `nil` for all products.
    public var product: ProductID?
    /// Only licenses under this policy.
    public var policy: PolicyID?
    /// Only this holder's licenses, compared by its fold.
    public var holder: String?
    /// Only licenses with this address for letters, compared by its fold.
    public var holderEmail: String?
    /// Only licenses with this reference of an order, compared by its fold.
    public var order: String?
    /// Only licenses in this state at ``now``.
    public var state: License.State?
    /// Only licenses whose terms have ended at this time; the opposite of ``expiresAfter``.
    public var expiresBefore: Timestamp?
    /// Only licenses whose terms haven't ended at this time.
    public var expiresAfter: Timestamp?
    /// The time for which ``state`` is evaluated.
    public var now: Timestamp

    /// Creates a filter; its other members match everything until they are set.
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

extension LicenseFilter {
    /// Whether a license meets every condition of the filter.
    func matches(_ license: License) -> Bool {
        func isEqual(_ text: String?, to other: String?) -> Bool {
            text == nil || text.map { FoldedText($0) } == other.map { FoldedText($0) }
        }
        return (tenant.map { $0 == license.product.tenant } ?? true)
            && (product.map { $0 == license.product.product } ?? true)
            && (policy.map { $0 == license.policy } ?? true)
            && isEqual(holder, to: license.holder)
            && isEqual(holderEmail, to: license.terms.holderEmail) && isEqual(order, to: license.terms.order)
            && (state.map { $0 == license.state(at: now) } ?? true)
            && (expiresBefore.map { before in license.terms.term.end.map { $0 <= before } ?? false } ?? true)
            && (expiresAfter.map { after in license.terms.term.end.map { $0 > after } ?? false } ?? true)
    }
}
