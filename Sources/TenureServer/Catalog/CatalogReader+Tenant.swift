import TenureCore
import TenureCrypto
import TenureFormats

extension CatalogReader {
    /// Path segments that Tenure itself answers under (design §6, "Paths").
    private static let reservedTenants = BuiltInPaths.reserved.union(["marketplace"])

    private static let reservedProducts: Set<String> = [
        "licenses", "activations", "events", "tokens", "accounts", "app-licenses",
    ]

    /// What a file says of one tenant.
    struct ListedTenant {
        var tenant: Tenant
        var licenses: [CatalogFile.ListedLicense] = []
        var packages: [ListedPackage] = []
        var accounts: [ListedAccount] = []
    }

    /// A tenant with the licenses listed under its products and with its marketplace; nil when it has no usable id.
    mutating func tenant(_ node: CatalogNode) -> ListedTenant? {
        let members = object(node, knowing: ["id", "name", "products", "marketplace"])
        guard let id = slug(members["id"], of: node, as: TenantID.self) else { return nil }
        if Self.reservedTenants.contains(id.text) {
            report(members["id"] ?? node, "\"\(id)\" is a path of the server's own; choose another id")
        }
        var tenant = Tenant(id: id, name: text(members["name"]) ?? id.text)
        var licenses: [CatalogFile.ListedLicense] = []
        var prefixes: [LicenseKeyPrefix: ProductID] = [:]
        for element in list(members["products"]) {
            guard let (product, listed) = self.product(element, of: id) else { continue }
            if tenant.products[product.ref.product] != nil {
                report(element, "the product \(product.ref.product) is named twice")
            }
            if let other = prefixes.updateValue(product.ref.product, forKey: product.keyPrefix) {
                report(
                    element,
                    "the keyPrefix \(product.keyPrefix) is the product \(other)'s already; it must be unique in the tenant"
                )
            }
            tenant.products[product.ref.product] = product
            licenses += listed
        }
        let market = marketplace(members["marketplace"], of: tenant)
        tenant.marketplace = market?.marketplace
        return ListedTenant(
            tenant: tenant, licenses: licenses, packages: market?.packages ?? [], accounts: market?.accounts ?? [])
    }

    private mutating func product(
        _ node: CatalogNode, of tenant: TenantID
    ) -> (Product, [CatalogFile.ListedLicense])? {
        let members = object(
            node,
            knowing: ["id", "name", "keyPrefix", "trialDays", "freeTier", "sdkKey", "policies", "licenses"])
        guard let id = slug(members["id"], of: node, as: ProductID.self) else { return nil }
        if Self.reservedProducts.contains(id.text) {
            report(members["id"] ?? node, "\"\(id)\" is a path of the server's own; choose another id")
        }
        guard let keyPrefix = keyPrefix(members["keyPrefix"], of: id) else { return nil }
        let ref = ProductRef(tenant: tenant, product: id)
        var product = Product(
            ref: ref, name: text(members["name"]) ?? id.text, keyPrefix: keyPrefix,
            trialDays: integer(members["trialDays"], in: 0...3650) ?? 0,
            freeTier: bool(members["freeTier"], default: false),
            sdkKeyHash: text(members["sdkKey"]).flatMap { Digest(SHA256.hash(Array($0.utf8))) })
        for element in list(members["policies"]) {
            guard let policy = policy(element) else { continue }
            if product.policies.updateValue(policy, forKey: policy.id) != nil {
                report(element, "the policy \(policy.id) is named twice")
            }
        }
        let licenses = list(members["licenses"])
        return (product, licenses.isEmpty ? [] : self.licenses(licenses, of: product))
    }

    /// The prefix as given, or the id's letters and digits in upper case, cut to eight.
    private mutating func keyPrefix(_ node: CatalogNode?, of id: ProductID) -> LicenseKeyPrefix? {
        guard let node else {
            let letters = id.text.uppercased().filter { $0.isLetter || $0.isNumber }.prefix(8)
            return LicenseKeyPrefix(letters.count < 2 ? letters + "KEY" : String(letters))
        }
        guard case .string(let text) = node.value, let prefix = LicenseKeyPrefix(text) else {
            report(node, "must be 2 to 8 of A-Z and 0-9")
            return nil
        }
        return prefix
    }

    private mutating func policy(_ node: CatalogNode) -> Policy? {
        let members = object(
            node,
            knowing: [
                "id", "name", "durationDays", "activationLimit", "entitlements", "fallbackAccess", "leaseDays",
                "graceDays", "selfRelease",
            ])
        guard let id = slug(members["id"], of: node, as: PolicyID.self) else { return nil }
        var policy = Policy(id: id, name: text(members["name"]) ?? id.text)
        policy.durationDays = integer(members["durationDays"], in: 1...36_500)
        if let limit = members["activationLimit"] {
            policy.activationLimit = integer(limit, in: 1...Policy.highestActivationLimit)
        }
        policy.fallbackAccess = bool(members["fallbackAccess"], default: false)
        policy.leaseDays = integer(members["leaseDays"], in: 1...3650) ?? Policy.defaultLeaseDays
        policy.graceDays = integer(members["graceDays"], in: 0...3650) ?? 0
        policy.selfRelease = selfRelease(members["selfRelease"])
        for element in list(members["entitlements"]) {
            guard case .string(let name) = element.value, let entitlement = Entitlement(name) else {
                report(element, "must be 1 to 128 printable ASCII characters without space, | and ,")
                continue
            }
            if policy.entitlements.contains(entitlement) {
                report(element, "the entitlement \(name) is named twice")
            } else {
                policy.entitlements.append(entitlement)
            }
        }
        return policy
    }

    /// Nil when it is absent, null or not of its shape; both members are needed, for neither has a safe default.
    private mutating func selfRelease(_ node: CatalogNode?) -> SelfRelease? {
        guard let node, node.value != .null else { return nil }
        let members = object(node, knowing: ["cooldownDays", "perYear"])
        for name in ["cooldownDays", "perYear"] where (members[name]?.value ?? .null) == .null {
            report(node, "needs \(name)")
        }
        guard let cooldown = integer(members["cooldownDays"], in: 0...365),
            let perYear = integer(members["perYear"], in: 1...SelfRelease.highestPerYear)
        else { return nil }
        return SelfRelease(cooldownDays: cooldown, perYear: perYear)
    }
}
