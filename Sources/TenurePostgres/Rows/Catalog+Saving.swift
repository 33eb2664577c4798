import TenureCore
import TenureStore

extension SQL {
    static let raiseCatalogVersion = SQL("UPDATE catalog_version SET version = version + 1")

    private static let setCatalogVersion = SQL("UPDATE catalog_version SET version = $1")

    /// Saves a whole catalog with the version that it has in another store.
    static func adopting(_ catalog: Catalog) -> [Statement] {
        var statements: [Statement] = []
        for tenant in catalog.tenants.values {
            statements.append(savingTenant(tenant.id, name: tenant.name))
            for product in tenant.products.values {
                statements.append(saving(product))
                statements += product.policies.values.map { saving($0, in: product.ref) }
            }
            guard let marketplace = tenant.marketplace else { continue }
            statements.append(saving(marketplace, of: tenant.id))
            statements += marketplace.apps.values.flatMap { saving($0, of: tenant.id) }
        }
        return statements + [Statement(setCatalogVersion, [.integer(catalog.version)])]
    }

    static func savingTenant(_ id: TenantID, name: String) -> Statement {
        Statement(insertTenant, [.slug(id), .text(name)])
    }

    static func saving(_ product: Product) -> Statement {
        Statement(
            insertProduct,
            [
                .slug(product.ref.tenant), .slug(product.ref.product), .text(product.name),
                .text(product.keyPrefix.text),
                .integer(product.trialDays), .flag(product.freeTier), .blob(product.sdkKeyHash),
            ])
    }

    static func saving(_ policy: Policy, in product: ProductRef) -> Statement {
        Statement(
            insertPolicy,
            [
                .slug(product.tenant), .slug(product.product), .slug(policy.id), .text(policy.name),
                .integer(policy.durationDays), .integer(policy.activationLimit),
                .text(Policy.code(policy.entitlements)), .flag(policy.fallbackAccess), .integer(policy.leaseDays),
                .integer(policy.graceDays), .integer(policy.selfRelease?.cooldownDays),
                .integer(policy.selfRelease?.perYear),
            ])
    }

    static func removing(_ policy: PolicyRef) -> Statement {
        let product = policy.product
        return Statement(deletePolicy, [.slug(product.tenant), .slug(product.product), .slug(policy.policy)]) { error in
            guard error.code == .reference else { return error }
            return StoreError(
                .inUse, "Licenses follow the policy \(product)/\(policy.policy); move them to another policy first.")
        }
    }

    /// Policies first, for they name the product.
    static func removing(_ product: ProductRef) -> [Statement] {
        [deletePolicies, deleteProduct].map { sql in
            Statement(sql, [.slug(product.tenant), .slug(product.product)]) { error in
                guard error.code == .reference else { return error }
                return StoreError(.inUse, "The product \(product) has licenses, so it cannot be removed.")
            }
        }
    }

    private static let insertTenant = SQL(
        "INSERT INTO tenants (tenant, name) VALUES ($1, $2) ON CONFLICT (tenant) DO UPDATE SET name = excluded.name")
    private static let insertProduct = SQL(
        """
        INSERT INTO products (tenant, product, name, key_prefix, trial_days, free_tier, sdk_key_hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (tenant, product) DO UPDATE SET name = excluded.name, key_prefix = excluded.key_prefix,
            trial_days = excluded.trial_days, free_tier = excluded.free_tier, sdk_key_hash = excluded.sdk_key_hash
        """)
    private static let insertPolicy = SQL(
        """
        INSERT INTO policies (tenant, product, policy, name, duration_days, activation_limit, entitlements,
            fallback_access, lease_days, grace_days, self_release_cooldown_days, self_release_per_year)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT (tenant, product, policy) DO UPDATE SET name = excluded.name,
            duration_days = excluded.duration_days, activation_limit = excluded.activation_limit,
            entitlements = excluded.entitlements, fallback_access = excluded.fallback_access,
            lease_days = excluded.lease_days, grace_days = excluded.grace_days,
            self_release_cooldown_days = excluded.self_release_cooldown_days,
            self_release_per_year = excluded.self_release_per_year
        """)
    private static let deletePolicy = SQL("DELETE FROM policies WHERE tenant = $1 AND product = $2 AND policy = $3")
    private static let deletePolicies = SQL("DELETE FROM policies WHERE tenant = $1 AND product = $2")
    private static let deleteProduct = SQL("DELETE FROM products WHERE tenant = $1 AND product = $2")
}
