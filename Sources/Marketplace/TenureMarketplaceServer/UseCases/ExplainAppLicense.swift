import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// Explains an app license: its state, and the reasons why its own device couldn't renew it now.
    ///
    /// The remedies are those for the vendor. The call changes nothing.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func explain(_ license: AppLicense) async throws(ServerError) -> AppLicense.Explanation {
        let now = clock.now()
        let market = try await catalog.refreshIfChanged().catalog.tenants[license.tenant]?.marketplace
        var right: AppGrant.Right?
        var isAccountOpen = true
        if let account = license.owner {
            isAccountOpen = try await store.account(account)?.isOpen ?? true
            right = try await store.appRight(of: account, to: license.item, at: now)
        }
        let unusable = try await store.licensesWithUnusableKey(among: [license], of: license.tenant)
        return license.explain(
            of: market?.apps[license.item],
            right: market?.right(of: license.owner, to: license.item, granted: right) ?? right,
            access: market?.access ?? .token,
            hasKey: market?.hasKey(of: license.asset) ?? false, isKeyUnusable: !unusable.isEmpty,
            isAccountOpen: isAccountOpen, at: now
        ).forVendor(of: license, isAccountOpen: isAccountOpen)
    }
}

extension FeatureContext {
    /// Finds an app license by text that a person entered: by the decimal number that devices use, or by its id.
    ///
    /// Returns `nil` if the text is neither, or if the tenant has no such license.
    func findAppLicense(
        _ text: String, tenant: TenantID? = nil
    ) async throws(ServerError) -> AppLicense? {
        guard let id = LicenseID(decimal: text) ?? LicenseID(text: text) else { return nil }
        let found = try await store.appLicense(id)
        return found.flatMap { tenant == nil || $0.tenant == tenant ? $0 : nil }
    }
}
