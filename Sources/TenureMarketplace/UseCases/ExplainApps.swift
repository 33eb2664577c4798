package import TenureCore
import TenureServerKit
import TenureStore

/// Tells where an account's apps stand, one license of one device after the other.
struct ExplainApps: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock

    /// At most so many licenses are looked at.
    static let limit = 1000

    /// Explains every license that a device may still have, of one app or of all. Changes nothing.
    ///
    /// Answers nil when the tenant has no marketplace. Throws ``ServerError``.
    func callAsFunction(_ account: AccountRef, of item: AppleItemID?) async throws(ServerError) -> ExplainedApps? {
        let now = clock.now()
        guard let marketplace = try await catalog.refreshIfChanged().catalog.tenants[account.tenant]?.marketplace else {
            return nil
        }
        let filter = AppLicenseFilter(tenant: account.tenant, account: account.account, item: item, now: now)
        let licenses = try await asking { () async throws(StoreError) in
            try await store.appLicenses(filter, after: nil, limit: Self.limit)
        }.filter { !$0.isReplaced }
        let grants = try await asking { () async throws(StoreError) in try await store.appGrants(of: account) }
        var items = Set(licenses.map(\.item))
        items.formUnion(item.map { [$0] } ?? grants.map(\.item))
        var apps: [ExplainedApp] = []
        for item in items.sorted() {
            let granted = try await asking { () async throws(StoreError) in
                try await store.appRight(of: account, to: item, at: now)
            }
            let right = marketplace.right(of: account, to: item, granted: granted) ?? granted
            let app = marketplace.apps[item]
            let own = licenses.filter { $0.item == item }
            apps.append(
                ExplainedApp(
                    item: item, app: app, grant: right.grant, devices: right.holders.count,
                    licenses: own.map { $0.explained(of: app, right: right, at: marketplace, at: now) }))
        }
        return ExplainedApps(marketplace: marketplace, apps: apps, now: now)
    }
}

extension AppLicense {
    fileprivate func explained(
        of app: MarketplaceApp?, right: AppRight, at marketplace: Marketplace, at now: Timestamp
    ) -> ExplainedApp.License {
        let hasKey = app?.versions[asset.version]?.keyedAssets.contains(asset.asset) ?? false
        let explanation = explain(of: app, right: right, access: marketplace.access, hasKey: hasKey, at: now)
        return ExplainedApp.License(license: self, explanation: explanation)
    }
}

/// Where an account's apps stand.
package struct ExplainedApps: Sendable, Hashable {
    /// The marketplace as it is listed.
    package let marketplace: Marketplace
    /// The apps in the order of their ids.
    package let apps: [ExplainedApp]
    /// The moment of which this is true.
    package let now: Timestamp

    /// Puts it together.
    package init(marketplace: Marketplace, apps: [ExplainedApp], now: Timestamp) {
        self.marketplace = marketplace
        self.apps = apps
        self.now = now
    }
}

/// Where one app of an account stands.
package struct ExplainedApp: Sendable, Hashable {
    /// A license with what would keep it from being renewed.
    package struct License: Sendable, Hashable {
        /// The license.
        package let license: AppLicense
        /// Where it stands.
        package let explanation: AppLicenseExplanation

        /// Pairs the two.
        package init(license: AppLicense, explanation: AppLicenseExplanation) {
            self.license = license
            self.explanation = explanation
        }
    }

    /// Its name at Apple.
    package let item: AppleItemID
    /// The app as it is listed; nil when it is not.
    package let app: MarketplaceApp?
    /// The account's right to it; nil when there is none.
    package let grant: AppGrant?
    /// On how many devices it takes a place.
    package let devices: Int
    /// Its licenses, one for each device.
    package let licenses: [License]

    /// Puts it together.
    package init(item: AppleItemID, app: MarketplaceApp?, grant: AppGrant?, devices: Int, licenses: [License]) {
        self.item = item
        self.app = app
        self.grant = grant
        self.devices = devices
        self.licenses = licenses
    }
}
