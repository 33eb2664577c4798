import TenureCore
import TenureStore

extension SQL {
    static let raiseCatalogVersion = SQL("UPDATE catalog_version SET version = version + 1")

    private static let setCatalogVersion = SQL("UPDATE catalog_version SET version = ?1")

    /// Saves a whole catalog with the version that it has in another store.
    static func adopt(_ catalog: Catalog, on connection: Connection) throws(StoreError) {
        for tenant in catalog.tenants.values {
            try saveTenant(tenant.id, name: tenant.name, on: connection)
            for product in tenant.products.values {
                try save(product, on: connection)
                for policy in product.policies.values { try save(policy, in: product.ref, on: connection) }
            }
            guard let marketplace = tenant.marketplace else { continue }
            try save(marketplace, of: tenant.id, on: connection)
            for app in marketplace.apps.values { try save(app, of: tenant.id, on: connection) }
        }
        try connection.run(setCatalogVersion, [.integer(catalog.version)])
    }

    static func saveTenant(_ id: TenantID, name: String, on connection: Connection) throws(StoreError) {
        try connection.run(insertTenant, [.slug(id), .text(name)])
    }

    static func save(_ product: Product, on connection: Connection) throws(StoreError) {
        try connection.run(
            insertProduct,
            [
                .slug(product.ref.tenant), .slug(product.ref.product), .text(product.name),
                .text(product.keyPrefix.text),
                .integer(product.trialDays), .flag(product.freeTier), .blob(product.sdkKeyHash),
            ])
    }

    static func save(_ policy: Policy, in product: ProductRef, on connection: Connection) throws(StoreError) {
        try connection.run(
            insertPolicy,
            [
                .slug(product.tenant), .slug(product.product), .slug(policy.id), .text(policy.name),
                .integer(policy.durationDays), .integer(policy.activationLimit),
                .text(Policy.code(policy.entitlements)), .flag(policy.fallbackAccess), .integer(policy.leaseDays),
                .integer(policy.graceDays), .integer(policy.selfRelease?.cooldownDays),
                .integer(policy.selfRelease?.perYear),
            ])
    }

    static func remove(_ policy: PolicyRef, on connection: Connection) throws(StoreError) {
        let product = policy.product
        do {
            try connection.run(
                deletePolicy, [.slug(product.tenant), .slug(product.product), .slug(policy.policy)])
        } catch  where error.code == .reference {
            throw StoreError(
                .inUse, "Licenses follow the policy \(product)/\(policy.policy); move them to another policy first.")
        }
    }

    static func remove(_ product: ProductRef, on connection: Connection) throws(StoreError) {
        do {
            try connection.run(deletePolicies, [.slug(product.tenant), .slug(product.product)])
            try connection.run(deleteProduct, [.slug(product.tenant), .slug(product.product)])
        } catch  where error.code == .reference {
            throw StoreError(.inUse, "The product \(product) has licenses, so it cannot be removed.")
        }
    }

    private static let insertTenant = SQL(
        "INSERT INTO tenants (tenant, name) VALUES (?1, ?2) ON CONFLICT (tenant) DO UPDATE SET name = excluded.name")
    private static let insertProduct = SQL(
        """
        INSERT INTO products (tenant, product, name, key_prefix, trial_days, free_tier, sdk_key_hash)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (tenant, product) DO UPDATE SET name = excluded.name, key_prefix = excluded.key_prefix,
            trial_days = excluded.trial_days, free_tier = excluded.free_tier, sdk_key_hash = excluded.sdk_key_hash
        """)
    private static let insertPolicy = SQL(
        """
        INSERT INTO policies (tenant, product, policy, name, duration_days, activation_limit, entitlements,
            fallback_access, lease_days, grace_days, self_release_cooldown_days, self_release_per_year)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        ON CONFLICT (tenant, product, policy) DO UPDATE SET name = excluded.name,
            duration_days = excluded.duration_days, activation_limit = excluded.activation_limit,
            entitlements = excluded.entitlements, fallback_access = excluded.fallback_access,
            lease_days = excluded.lease_days, grace_days = excluded.grace_days,
            self_release_cooldown_days = excluded.self_release_cooldown_days,
            self_release_per_year = excluded.self_release_per_year
        """)
    private static let deletePolicy = SQL("DELETE FROM policies WHERE tenant = ?1 AND product = ?2 AND policy = ?3")
    private static let deletePolicies = SQL("DELETE FROM policies WHERE tenant = ?1 AND product = ?2")
    private static let deleteProduct = SQL("DELETE FROM products WHERE tenant = ?1 AND product = ?2")
}
