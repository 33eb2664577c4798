import TenureCore
import TenureStore

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
            append(tenant.marketplace) { $0.append($1) }
        }
    }

    private mutating func append(_ marketplace: Marketplace) {
        append(marketplace.name)
        append(marketplace.domain)
        append(marketplace.appleItemID) { $0.append($1.number) }
        append(marketplace.bundleID)
        append(marketplace.pollingIntervalHours)
        append(marketplace.access.rawValue)
        append(marketplace.resolutionPage)
        append(marketplace.supportEmail)
        append(Marketplace.code(marketplace.overrides))
        append(marketplace.apps.count)
        for (_, app) in marketplace.apps.sorted(by: { $0.key < $1.key }) { append(app) }
    }

    private mutating func append(_ app: MarketplaceApp) {
        append(app.item.number)
        append(app.bundleID)
        append(app.name)
        append(app.shareURL)
        append(app.packageURL)
        append(app.isWithdrawn)
        append(app.rules.durationDays)
        append(app.rules.jitterPercent)
        append(app.rules.deviceLimit)
        append(app.rules.revokeOnTakedown)
        append(app.rules.renewAfterExpiryDays)
        append(app.rules.renewAheadDays)
        append(app.versions.count)
        for (_, version) in app.versions.sorted(by: { $0.key < $1.key }) {
            append(version.id.number)
            append(version.shortVersion)
            append(version.bundleVersion)
            append(version.keyedAssets.count)
            for asset in version.keyedAssets.sorted() { append(asset.text) }
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
        append(policy.selfRelease?.cooldownDays)
        append(policy.selfRelease?.perYear)
    }
}
