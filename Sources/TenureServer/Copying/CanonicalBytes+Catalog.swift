import TenureCore

extension CanonicalBytes {
    mutating func append(_ catalog: Catalog) {
        append(catalog.version)
        append(catalog.tenants.count)
        for tenant in catalog.tenants.values.sorted(by: { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) })
        {
            append(tenant.id.text)
            append(tenant.name)
            append(tenant.products.count)
            for (_, product) in tenant.products.sorted(by: {
                $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8)
            }) {
                append(product)
            }
        }
    }

    private mutating func append(_ product: Product) {
        append(product.ref)
        append(product.name)
        append(product.keyPrefix.text)
        append(product.trialDays)
        append(product.freeTier)
        append(product.sdkKeyHash)
        append(product.policies.count)
        for (_, policy) in product.policies.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) })
        {
            append(policy)
        }
    }

    private mutating func append(_ policy: Policy) {
        append(policy.id.text)
        append(policy.name)
        append(policy.durationDays)
        append(policy.activationLimit)
        append(policy.entitlements.count)
        for entitlement in policy.entitlements { append(entitlement.name) }
        append(policy.fallbackAccess)
        append(policy.leaseDays)
        append(policy.graceDays)
    }
}
