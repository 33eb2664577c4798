/// What is licensed: its policies and what it offers to people without a license.
public struct Product: Sendable, Hashable {
    /// Its name on this server.
    public let ref: ProductRef

    /// Its name for people.
    public var name: String

    /// The first group of every key minted for it: 2 to 8 of `A`-`Z` and `0`-`9`, unique per tenant.
    public var keyPrefix: LicenseKeyPrefix

    /// How long a trial lasts, in days; 0 switches trials off.
    public var trialDays: Int

    /// Whether there is a free plan for people without a license.
    public var freeTier: Bool

    /// SHA-256 of the SDK key that requests must carry; nil when none is asked for.
    public var sdkKeyHash: Digest?

    /// The rules its licenses are made from, by name.
    public var policies: [PolicyID: Policy]

    /// Makes a product.
    public init(
        ref: ProductRef, name: String, keyPrefix: LicenseKeyPrefix, trialDays: Int = 0, freeTier: Bool = false,
        sdkKeyHash: Digest? = nil, policies: [PolicyID: Policy] = [:]
    ) {
        self.ref = ref
        self.name = name
        self.keyPrefix = keyPrefix
        self.trialDays = trialDays
        self.freeTier = freeTier
        self.sdkKeyHash = sdkKeyHash
        self.policies = policies
    }
}
