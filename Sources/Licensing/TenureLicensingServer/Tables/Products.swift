public import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

extension Product: Stored {
    /// Products, without their policies.
    public static let table = Table<Product>(
        "products", key: ["tenant", "product"],
        [
            Field("tenant") { $0.ref.tenant }, Field("product") { $0.ref.product }, Field("name") { $0.name },
            Field("key_prefix") { $0.keyPrefix }, Field("trial_days") { $0.trialDays },
            Field("free_tier") { $0.freeTier }, Field("sdk_key_hash") { $0.sdkKeyHash },
            Field("entitlements") { $0.entitlements.map(Policy.code) }, Field("renew_url") { $0.renewURL },
            Field("activation_url") { $0.activationURL }, Field("show_keys") { $0.showsKeys },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true, part: "catalog"
    ) { row in
        Product(
            ref: try row.product(), name: try row.next(), keyPrefix: try row.next(), trialDays: try row.next(),
            freeTier: try row.next(), sdkKeyHash: try row.next(), entitlements: try entitlements(row.next()),
            renewURL: try row.next(), activationURL: try row.next(), showsKeys: try row.next())
    }

    /// The products of a tenant, ordered by id.
    public static let ofTenant = table.set("of_tenant", "tenant")

    private static func entitlements(_ code: String?) throws(StoreError) -> [Entitlement]? {
        guard let code else { return nil }
        guard let entitlements = Policy.entitlements(code: code) else { throw .unreadable("a product's entitlements") }
        return entitlements
    }
}

/// A policy's id together with its product.
public struct PolicyRef: Sendable, Hashable {
    /// The product that the policy belongs to.
    public let product: ProductRef
    /// The policy's id within the product.
    public let policy: PolicyID

    /// Creates a reference, which may name a policy that doesn't exist.
    public init(product: ProductRef, policy: PolicyID) {
        self.product = product
        self.policy = policy
    }
}

/// A stored policy, together with its product.
public struct PolicyRow: Sendable, Hashable {
    /// The product that the policy belongs to.
    public let product: ProductRef
    /// The policy itself, without its product.
    public var policy: Policy

    /// Creates a row with these values, which aren't checked.
    public init(product: ProductRef, policy: Policy) {
        self.product = product
        self.policy = policy
    }

    /// The policy's id together with its product.
    public var ref: PolicyRef { PolicyRef(product: product, policy: policy.id) }
}

extension PolicyRow: Stored {
    /// The stored policies of all products.
    public static let table = Table<PolicyRow>(
        "policies", key: ["tenant", "product", "policy"],
        [
            Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
            Field("policy") { $0.policy.id }, Field("name") { $0.policy.name },
            Field("duration") { $0.policy.duration },
            Field("activation_limit") { $0.policy.activationLimit },
            Field("entitlements") { Policy.code($0.policy.entitlements) },
            Field("fallback_access") { $0.policy.fallbackAccess }, Field("lease_days") { $0.policy.leaseDays },
            Field("grace_days") { $0.policy.graceDays },
            Field("self_release_cooldown_days") { $0.policy.selfRelease?.cooldownDays },
            Field("self_release_per_year") { $0.policy.selfRelease?.perYear },
            Field("device_changes") { $0.policy.deviceChanges },
            Field("term_starts") { $0.policy.termStarts }, Field("start_by") { $0.policy.startBy },
            Field("renew_url") { $0.policy.renewURL },
        ],
        foreignKeys: [ForeignKey(to: Product.self)], changesAlone: true, part: "catalog"
    ) { row in
        PolicyRow(
            product: try row.product(),
            policy: Policy(
                id: try row.next(), name: try row.next(), duration: try row.next(),
                activationLimit: try row.next(), entitlements: try entitlements(row.next()),
                fallbackAccess: try row.next(), leaseDays: try row.next(), graceDays: try row.next(),
                selfRelease: try selfRelease(cooldown: row.next(), perYear: row.next()),
                deviceChanges: try row.next(), termStarts: try row.next(), startBy: try row.next(),
                renewURL: try row.next()))
    }

    /// The policies of all products of a tenant, by product and policy.
    public static let ofTenant = table.set("of_tenant", "tenant")
    /// The policies of a product, ordered by id.
    public static let ofProduct = table.set("of_product", "tenant", "product")

    private static func entitlements(_ code: String) throws(StoreError) -> [Entitlement] {
        guard let entitlements = Policy.entitlements(code: code) else { throw .unreadable("a policy's entitlements") }
        return entitlements
    }

    private static func selfRelease(cooldown: Int?, perYear: Int?) -> SelfRelease? {
        guard let cooldown, let perYear else { return nil }
        return SelfRelease(cooldownDays: cooldown, perYear: perYear)
    }
}

extension TermStart: StorableCode {}

extension Policy {
    /// The entitlements in their order, separated by commas, which no name contains.
    package static func code(_ entitlements: [Entitlement]) -> String {
        entitlements.map(\.name).joined(separator: ",")
    }

    /// Reads what ``code(_:)`` writes; returns `nil` for anything else.
    package static func entitlements(code: String) -> [Entitlement]? {
        guard !code.isEmpty else { return [] }
        let names = code.split(atByte: ",", omittingEmptySubsequences: false)
        let entitlements = names.compactMap { Entitlement($0) }
        return entitlements.count == names.count ? entitlements : nil
    }
}

extension LicenseKeyPrefix: StorableAs {
    /// The prefix's text, as stored in a column.
    public var simple: String { text }
    /// Returns `nil` if the text isn't a license key prefix.
    public init?(simple: String) { self.init(simple) }
}
