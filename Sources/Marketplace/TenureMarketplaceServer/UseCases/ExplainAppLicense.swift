import TenureCore
public import TenureMarketplace
public import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// Explains the state of an app license.
    ///
    /// Returns what the license's own device would be told now, without changing anything.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    public func explain(_ license: AppLicense) async throws(ServerError) -> AppLicense.Explanation {
        let now = clock.now()
        let market = try await catalog.refreshIfChanged().catalog.tenants[license.tenant]?.marketplace
        var right: AppGrant.Right?
        if let account = license.owner {
            right = try await asking { try await store.appRight(of: account, to: license.item, at: now) }
        }
        return license.explain(
            of: market?.apps[license.item],
            right: market?.right(of: license.owner, to: license.item, granted: right) ?? right,
            access: market?.access ?? .token,
            hasKey: market?.hasKey(of: license.asset) ?? false, at: now)
    }
}
