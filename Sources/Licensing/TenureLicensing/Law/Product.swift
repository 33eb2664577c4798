public import TenureCore

/// A licensed product: its policies, and what it offers without a license.
public struct Product: Sendable, Hashable {
    /// The ids of the tenant and of the product within the tenant.
    public let ref: ProductRef

    /// The product's name as shown to customers.
    public var name: String

    /// The first group of every generated key: 2 to 8 characters of `A`-`Z` and `0`-`9`, unique per tenant.
    public var keyPrefix: LicenseKeyPrefix

    /// The length of a trial in days; 0 disables trials.
    public var trialDays: Int

    /// Whether there is a free plan for people without a license.
    public var freeTier: Bool

    /// The SHA-256 digest of the SDK key that requests must carry; `nil` if none is required.
    public var sdkKeyHash: Digest?

    /// The entitlements that the product's apps ask for; `nil` if the vendor hasn't listed them.
    public var entitlements: [Entitlement]?

    /// The `https` address where customers renew licenses; `nil` if it is unset.
    public var renewURL: String?

    /// The link that activates the app with a license's key, which replaces `{key}` in it; `nil` if it is unset.
    public var activationURL: String?

    /// Whether an operator may read the full text of a license's key, if the server can compute it.
    public var showsKeys: Bool

    /// The policies that licenses of the product can follow, by id.
    public var policies: [PolicyID: Policy]

    /// Creates a product; by default, it has neither a trial nor a free plan.
    public init(
        ref: ProductRef, name: String, keyPrefix: LicenseKeyPrefix, trialDays: Int = 0, freeTier: Bool = false,
        sdkKeyHash: Digest? = nil, entitlements: [Entitlement]? = nil, policies: [PolicyID: Policy] = [:],
        renewURL: String? = nil, activationURL: String? = nil, showsKeys: Bool = false
    ) {
        self.ref = ref
        self.name = name
        self.keyPrefix = keyPrefix
        self.trialDays = trialDays
        self.freeTier = freeTier
        self.sdkKeyHash = sdkKeyHash
        self.entitlements = entitlements
        self.policies = policies
        self.renewURL = renewURL
        self.activationURL = activationURL
        self.showsKeys = showsKeys
    }

    /// The entitlements that apps ask for and that no policy grants; empty if the vendor hasn't listed any.
    public var ungrantedEntitlements: [Entitlement] {
        let granted = Set(policies.values.flatMap(\.entitlements))
        return (entitlements ?? []).filter { !granted.contains($0) }.sorted()
    }
}
