package import TenureCore
package import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// The maximum number of licenses to read.
    private static let mostExplained = 1000

    /// Explains an account's apps, or one of them, with the current license of each device.
    ///
    /// Reads at most 1,000 licenses and changes nothing. Returns `nil` if the tenant has no marketplace.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func explainApps(_ account: AccountRef, of item: AppleItemID?) async throws(ServerError) -> ExplainedApps? {
        let now = clock.now()
        guard let marketplace = try await catalog.refreshIfChanged().catalog.tenants[account.tenant]?.marketplace else {
            return nil
        }
        let filter = AppLicenseFilter(tenant: account.tenant, account: account.account, item: item, now: now)
        let licenses = try await store.appLicenses(filter, after: nil, limit: Self.mostExplained).currentOfEachDevice
        let grants = try await store.appGrants(of: account)
        let unusable = try await store.licensesWithUnusableKey(among: licenses, of: account.tenant)
        var items = Set(licenses.map(\.item))
        items.formUnion(item.map { [$0] } ?? grants.map(\.item))
        var apps: [ExplainedApp] = []
        for item in items.sorted() {
            let granted = try await store.appRight(of: account, to: item, at: now)
            let right = marketplace.right(of: account, to: item, granted: granted) ?? granted
            let app = marketplace.apps[item]
            let own = licenses.filter { $0.item == item }
            apps.append(
                ExplainedApp(
                    item: item, app: app, grant: right.grant, devices: right.active.count,
                    licenses: own.map { license in
                        license.explained(
                            of: app, right: right, at: marketplace, isKeyUnusable: unusable.contains(license.id),
                            at: now)
                    }))
        }
        return ExplainedApps(marketplace: marketplace, apps: apps, now: now)
    }
}

extension AppLicense {
    func explained(
        of app: MarketplaceApp?, right: AppGrant.Right, at marketplace: Marketplace, isKeyUnusable: Bool,
        at now: Timestamp
    ) -> ExplainedApp.License {
        let hasKey = app?.versions[asset.version]?.keyedAssets.contains(asset.asset) ?? false
        let explanation = explain(
            of: app, right: right, access: marketplace.access, hasKey: hasKey, isKeyUnusable: isKeyUnusable, at: now)
        return ExplainedApp.License(license: self, explanation: explanation)
    }
}

/// An account's apps with their explained licenses.
package struct ExplainedApps: Sendable, Hashable {
    package let marketplace: Marketplace
    /// The apps, sorted by id.
    package let apps: [ExplainedApp]
    /// When the apps and licenses were read.
    package let now: Timestamp

    package init(marketplace: Marketplace, apps: [ExplainedApp], now: Timestamp) {
        self.marketplace = marketplace
        self.apps = apps
        self.now = now
    }
}

/// One app of an account with its explained licenses.
package struct ExplainedApp: Sendable, Hashable {
    /// A license with the reasons that prevent its renewal.
    package struct License: Sendable, Hashable {
        package let license: AppLicense
        /// The license's state and the reasons that prevent its renewal.
        package let explanation: AppLicense.Explanation

        package init(license: AppLicense, explanation: AppLicense.Explanation) {
            self.license = license
            self.explanation = explanation
        }
    }

    package let item: AppleItemID
    /// The app in the catalog; `nil` if it isn't listed.
    package let app: MarketplaceApp?
    /// The account's grant; `nil` if it has none.
    package let grant: AppGrant?
    /// The number of devices that have a license now.
    package let devices: Int
    /// The account's license of the app on each device; of several, the one whose term started last.
    package let licenses: [License]

    package init(item: AppleItemID, app: MarketplaceApp?, grant: AppGrant?, devices: Int, licenses: [License]) {
        self.item = item
        self.app = app
        self.grant = grant
        self.devices = devices
        self.licenses = licenses
    }
}
