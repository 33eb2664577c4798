import TenureCore
import TenureStore

extension Connection {
    /// Reads the catalog and its version in one round trip; meant for the inside of a transaction.
    func readCatalog() throws(StoreError) -> Catalog {
        try Catalog.read(try roundTrip(Catalog.statements))
    }
}

extension Catalog {
    static let statements: [Statement] = [
        Statement(.catalogVersion), Statement(.tenants), Statement(.products), Statement(.policies),
        Statement(.marketplaces), Statement(.apps), Statement(.appVersions), Statement(.keyedAssets),
    ]

    /// Reads the answers to ``statements``.
    static func read(_ answers: [Answer]) throws(StoreError) -> Catalog {
        var catalog = Catalog(version: try version(answers[0]))
        for tenant in try answers[1].all(Tenant.read) { catalog.tenants[tenant.id] = tenant }
        for product in try answers[2].all(Product.read) {
            catalog.tenants[product.ref.tenant]?.products[product.ref.product] = product
        }
        for (ref, policy) in try answers[3].all(Policy.read) {
            catalog.tenants[ref.tenant]?.products[ref.product]?.policies[policy.id] = policy
        }
        for (tenant, marketplace) in try answers[4].all(Marketplace.read) {
            catalog.tenants[tenant]?.marketplace = marketplace
        }
        for (tenant, app) in try answers[5].all(MarketplaceApp.read) {
            catalog.tenants[tenant]?.marketplace?.apps[app.item] = app
        }
        for (tenant, item, version) in try answers[6].all(AppVersion.read) {
            catalog.tenants[tenant]?.marketplace?.apps[item]?.versions[version.id] = version
        }
        for (tenant, asset) in try answers[7].all(AppAsset.readName) {
            catalog.tenants[tenant]?.marketplace?.apps[asset.item]?.versions[asset.version]?.keyedAssets
                .insert(asset.asset)
        }
        return catalog
    }

    static func version(_ answer: Answer) throws(StoreError) -> Int64 {
        guard let version = try answer.first({ row in row.integer(0) }) else { throw .unreadable("a catalog version") }
        return version
    }
}

extension Tenant {
    fileprivate static func read(_ row: Row) throws(StoreError) -> Tenant {
        Tenant(id: try row.slug(0), name: row.text(1))
    }
}

extension Product {
    fileprivate static func read(_ row: Row) throws(StoreError) -> Product {
        guard let keyPrefix = LicenseKeyPrefix(row.text(3)) else { throw .unreadable("a product's key prefix") }
        return Product(
            ref: try row.product(0, 1), name: row.text(2), keyPrefix: keyPrefix, trialDays: Int(row.integer(4)),
            freeTier: row.flag(5), sdkKeyHash: row.isNull(6) ? nil : try row.digest(6))
    }
}

extension Policy {
    fileprivate static func read(_ row: Row) throws(StoreError) -> (ProductRef, Policy) {
        guard let entitlements = Policy.entitlements(code: row.text(6)) else {
            throw .unreadable("a policy's entitlements")
        }
        var policy = Policy(
            id: try row.slug(2), name: row.text(3), durationDays: row.optionalInteger(4),
            activationLimit: row.optionalInteger(5), entitlements: entitlements, fallbackAccess: row.flag(7),
            leaseDays: Int(row.integer(8)), graceDays: Int(row.integer(9)))
        if let cooldown = row.optionalInteger(10), let perYear = row.optionalInteger(11) {
            policy.selfRelease = SelfRelease(cooldownDays: cooldown, perYear: perYear)
        }
        return (try row.product(0, 1), policy)
    }
}

extension PolicyRef {
    static func readCount(_ row: Row) throws(StoreError) -> (PolicyRef, Int) {
        (PolicyRef(product: try row.product(0, 1), policy: try row.slug(2)), Int(row.integer(3)))
    }
}

extension SQL {
    static let catalogVersion = SQL("SELECT version FROM catalog_version")
    fileprivate static let tenants = SQL("SELECT tenant, name FROM tenants")
    fileprivate static let products = SQL(
        "SELECT tenant, product, name, key_prefix, trial_days, free_tier, sdk_key_hash FROM products")
    fileprivate static let policies = SQL(
        """
        SELECT tenant, product, policy, name, duration_days, activation_limit, entitlements, fallback_access,
            lease_days, grace_days, self_release_cooldown_days, self_release_per_year FROM policies
        """)
    fileprivate static let marketplaces = SQL("SELECT ", Marketplace.columns, " FROM marketplaces")
    fileprivate static let apps = SQL("SELECT ", MarketplaceApp.columns, " FROM apps")
    fileprivate static let appVersions = SQL("SELECT ", AppVersion.columns, " FROM app_versions")
    fileprivate static let keyedAssets = SQL(
        "SELECT tenant, item, version, asset FROM app_assets WHERE key_blob IS NOT NULL")
    static let licensesPerApp = SQL("SELECT tenant, item, count(*) FROM app_licenses GROUP BY tenant, item")
    static let licensesPerPolicy = SQL(
        "SELECT tenant, product, policy, count(*) FROM licenses GROUP BY tenant, product, policy")
}
