import TenureCore
import TenureStore

extension SQL {
    static func saving(_ marketplace: Marketplace, of tenant: TenantID) -> Statement {
        Statement(upsertMarketplace, marketplace.storedValues(of: tenant).map(Value.init)) { error in
            error.code == .duplicate ? marketplace.domainTaken : error
        }
    }

    /// Saves an app with its versions; others go, and their assets before them.
    static func saving(_ app: MarketplaceApp, of tenant: TenantID) -> [Statement] {
        let kept: [Value] = [
            .slug(tenant), Value(.item(app.item)), .integers(app.versions.keys.map { Int64(bitPattern: $0.number) }),
        ]
        return [
            Statement(upsertApp, app.storedValues(of: tenant).map(Value.init)),
            Statement(deleteOtherAssets, kept), Statement(deleteOtherVersions, kept),
        ]
            + app.versions.values.map { version in
                Statement(upsertVersion, version.storedValues(of: app.item, tenant: tenant).map(Value.init))
            }
    }

    static func removing(_ item: AppleItemID, of tenant: TenantID) -> [Statement] {
        [deleteAssetsOfApp, deleteVersionsOfApp, deleteApp].map { sql in
            Statement(sql, [.slug(tenant), Value(.item(item))]) { error in
                error.code == .reference ? MarketplaceApp.inUse(item, of: tenant) : error
            }
        }
    }

    static func removingMarketplace(of tenant: TenantID) -> [Statement] {
        [deleteAssets, deleteVersions, deleteApps, deleteMarketplace].map { sql in
            Statement(sql, [.slug(tenant)]) { error in
                error.code == .reference ? Marketplace.inUse(of: tenant) : error
            }
        }
    }

    private static let upsertMarketplace = SQL(
        "INSERT INTO marketplaces (", Marketplace.columns, ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ",
        Marketplace.onConflict)
    private static let upsertApp = SQL(
        "INSERT INTO apps (", MarketplaceApp.columns,
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ", MarketplaceApp.onConflict)
    private static let upsertVersion = SQL(
        "INSERT INTO app_versions (", AppVersion.columns, ") VALUES ($1, $2, $3, $4, $5) ", AppVersion.onConflict)
    private static let deleteOtherAssets = SQL(
        "DELETE FROM app_assets WHERE tenant = $1 AND item = $2 AND version <> ALL ($3::bigint[])")
    private static let deleteOtherVersions = SQL(
        "DELETE FROM app_versions WHERE tenant = $1 AND item = $2 AND version <> ALL ($3::bigint[])")
    private static let deleteAssetsOfApp = SQL("DELETE FROM app_assets WHERE tenant = $1 AND item = $2")
    private static let deleteVersionsOfApp = SQL("DELETE FROM app_versions WHERE tenant = $1 AND item = $2")
    private static let deleteApp = SQL("DELETE FROM apps WHERE tenant = $1 AND item = $2")
    private static let deleteAssets = SQL("DELETE FROM app_assets WHERE tenant = $1")
    private static let deleteVersions = SQL("DELETE FROM app_versions WHERE tenant = $1")
    private static let deleteApps = SQL("DELETE FROM apps WHERE tenant = $1")
    private static let deleteMarketplace = SQL("DELETE FROM marketplaces WHERE tenant = $1")
}
