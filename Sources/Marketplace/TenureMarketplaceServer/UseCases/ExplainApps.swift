package import TenureCore
package import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// The most licenses to read.
    private static let mostExplained = 1000

    /// Explains an account's apps, with one license for each device.
    ///
    /// Explains every license that a device may still have, for one app or all, without changing anything.
    ///
    /// Returns `nil` if the tenant has no marketplace. Throws ``ServerError`` if the store fails.
    func explainApps(_ account: AccountRef, of item: AppleItemID?) async throws(ServerError) -> ExplainedApps? {
        let now = clock.now()
        guard let marketplace = try await catalog.refreshIfChanged().catalog.tenants[account.tenant]?.marketplace else {
            return nil
        }
        let filter = AppLicenseFilter(tenant: account.tenant, account: account.account, item: item, now: now)
        let licenses = try await asking {
            try await store.appLicenses(filter, after: nil, limit: Self.mostExplained)
        }.filter { !$0.isReplaced }
        let grants = try await asking { try await store.appGrants(of: account) }
        var items = Set(licenses.map(\.item))
        items.formUnion(item.map { [$0] } ?? grants.map(\.item))
        var apps: [ExplainedApp] = []
        for item in items.sorted() {
            let granted = try await asking { try await store.appRight(of: account, to: item, at: now) }
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
        of app: MarketplaceApp?, right: AppGrant.Right, at marketplace: Marketplace, at now: Timestamp
    ) -> ExplainedApp.License {
        let hasKey = app?.versions[asset.version]?.keyedAssets.contains(asset.asset) ?? false
        let explanation = explain(of: app, right: right, access: marketplace.access, hasKey: hasKey, at: now)
        return ExplainedApp.License(license: self, explanation: explanation)
    }
}

/// An account's apps with their explained licenses.
package struct ExplainedApps: Sendable, Hashable {
    /// The marketplace in the catalog.
    package let marketplace: Marketplace
    /// The apps, sorted by id.
    package let apps: [ExplainedApp]
    /// When this was read.
    package let now: Timestamp

    /// Creates a value from its parts.
    package init(marketplace: Marketplace, apps: [ExplainedApp], now: Timestamp) {
        self.marketplace = marketplace
        self.apps = apps
        self.now = now
    }
}

/// One app of an account with its explained licenses.
package struct ExplainedApp: Sendable, Hashable {
    /// A license and what prevents its renewal.
    package struct License: Sendable, Hashable {
        package let license: AppLicense
        /// Its state and the reasons.
        package let explanation: AppLicense.Explanation

        /// Creates a value from its parts.
        package init(license: AppLicense, explanation: AppLicense.Explanation) {
            self.license = license
            self.explanation = explanation
        }
    }

    /// The Apple item id.
    package let item: AppleItemID
    /// The app in the catalog; `nil` if it isn't listed.
    package let app: MarketplaceApp?
    /// The account's grant; `nil` without one.
    package let grant: AppGrant?
    /// The number of devices with a license now.
    package let devices: Int
    /// Its licenses, one for each device.
    package let licenses: [License]

    /// Creates a value from its parts.
    package init(item: AppleItemID, app: MarketplaceApp?, grant: AppGrant?, devices: Int, licenses: [License]) {
        self.item = item
        self.app = app
        self.grant = grant
        self.devices = devices
        self.licenses = licenses
    }
}
