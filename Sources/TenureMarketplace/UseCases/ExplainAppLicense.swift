public import TenureCore
public import TenureServerKit
public import TenureStore

/// Says where an app license stands and why.
public struct ExplainAppLicense: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock

    /// Explains from a store and its catalog.
    public init(store: any Store, catalog: CatalogCache, clock: any WallClock) {
        self.store = store
        self.catalog = catalog
        self.clock = clock
    }

    /// Asks the law as the license's own device would be answered now. Changes nothing. Throws ``ServerError``.
    public func callAsFunction(_ license: AppLicense) async throws(ServerError) -> AppLicenseExplanation {
        let now = clock.now()
        let market = try await catalog.refreshIfChanged().catalog.tenants[license.tenant]?.marketplace
        var right: AppRight?
        if let account = license.owner {
            right = try await asking { () async throws(StoreError) in
                try await store.appRight(of: account, to: license.item, at: now)
            }
        }
        return license.explain(
            of: market?.apps[license.item],
            right: market?.right(of: license.owner, to: license.item, granted: right) ?? right,
            access: market?.access ?? .token,
            hasKey: market?.hasKey(of: license.asset) ?? false, at: now)
    }
}
