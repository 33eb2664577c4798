import TenureCore
import TenureStore

extension SQL {
    static func save(_ marketplace: Marketplace, of tenant: TenantID, on connection: Connection) throws(StoreError) {
        do {
            try connection.run(upsertMarketplace, marketplace.storedValues(of: tenant).map(Value.init))
        } catch  where error.code == .duplicate {
            throw marketplace.domainTaken
        }
    }

    /// Saves an app with its versions; others go, and their assets before them.
    static func save(_ app: MarketplaceApp, of tenant: TenantID, on connection: Connection) throws(StoreError) {
        try connection.run(upsertApp, app.storedValues(of: tenant).map(Value.init))
        let name = [Value.slug(tenant), Value(.item(app.item))]
        let before = try connection.all(versionsOfApp, name, AppVersion.read)
        for version in before.map(\.version) where app.versions[version.id] == nil {
            let name = name + [Value(.version(version.id))]
            try connection.run(deleteAssetsOfVersion, name)
            try connection.run(deleteVersion, name)
        }
        for version in app.versions.values {
            try connection.run(upsertVersion, version.storedValues(of: app.item, tenant: tenant).map(Value.init))
        }
    }

    static func save(_ asset: AppAsset, on connection: Connection) throws(StoreError) {
        try connection.run(upsertAsset, asset.storedValues.map(Value.init))
    }

    static func remove(_ item: AppleItemID, of tenant: TenantID, on connection: Connection) throws(StoreError) {
        do {
            let name = [Value.slug(tenant), Value(.item(item))]
            for sql in [deleteAssetsOfApp, deleteVersionsOfApp, deleteApp] { try connection.run(sql, name) }
        } catch  where error.code == .reference {
            throw MarketplaceApp.inUse(item, of: tenant)
        }
    }

    static func removeMarketplace(of tenant: TenantID, on connection: Connection) throws(StoreError) {
        do {
            for sql in [deleteAssets, deleteVersions, deleteApps, deleteMarketplace] {
                try connection.run(sql, [.slug(tenant)])
            }
        } catch  where error.code == .reference {
            throw Marketplace.inUse(of: tenant)
        }
    }

    private static let upsertMarketplace = SQL(
        "INSERT INTO marketplaces (", Marketplace.columns, ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ",
        Marketplace.onConflict)
    private static let upsertApp = SQL(
        "INSERT INTO apps (", MarketplaceApp.columns,
        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ", MarketplaceApp.onConflict)
    private static let upsertVersion = SQL(
        "INSERT INTO app_versions (", AppVersion.columns, ") VALUES (?1, ?2, ?3, ?4, ?5) ", AppVersion.onConflict)
    private static let upsertAsset = SQL(
        "INSERT INTO app_assets (", AppAsset.columns, ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ", AppAsset.onConflict)
    private static let versionsOfApp = SQL(
        "SELECT ", AppVersion.columns, " FROM app_versions WHERE tenant = ?1 AND item = ?2")
    private static let deleteAssetsOfVersion = SQL(
        "DELETE FROM app_assets WHERE tenant = ?1 AND item = ?2 AND version = ?3")
    private static let deleteVersion = SQL("DELETE FROM app_versions WHERE tenant = ?1 AND item = ?2 AND version = ?3")
    private static let deleteAssetsOfApp = SQL("DELETE FROM app_assets WHERE tenant = ?1 AND item = ?2")
    private static let deleteVersionsOfApp = SQL("DELETE FROM app_versions WHERE tenant = ?1 AND item = ?2")
    private static let deleteApp = SQL("DELETE FROM apps WHERE tenant = ?1 AND item = ?2")
    private static let deleteAssets = SQL("DELETE FROM app_assets WHERE tenant = ?1")
    private static let deleteVersions = SQL("DELETE FROM app_versions WHERE tenant = ?1")
    private static let deleteApps = SQL("DELETE FROM apps WHERE tenant = ?1")
    private static let deleteMarketplace = SQL("DELETE FROM marketplaces WHERE tenant = ?1")
}
