public import TenureCore
public import TenureStore

extension SQLiteStore {
    /// Reads the keys of all marketplaces, oldest first.
    public func marketplaceKeys() async throws(StoreError) -> [MarketplaceKeyRecord] {
        try readers.read { connection throws(StoreError) in
            try connection.all(.marketplaceKeys, [], MarketplaceKeyRecord.read)
        }
    }

    /// Reads the assets of these names that a tenant's marketplace has, each once, in the order of their names.
    public func appAssets(_ refs: [AssetRef], of tenant: TenantID) async throws(StoreError) -> [AppAsset] {
        let names = Set(refs.prefix(1_000)).sorted()
        return try readers.read { connection throws(StoreError) in
            var found: [AppAsset] = []
            for ref in names {
                let name = [
                    Value.slug(tenant), Value(.item(ref.item)), Value(.version(ref.version)), .text(ref.asset.text),
                ]
                if let asset = try connection.first(.appAsset, name, AppAsset.read) { found.append(asset) }
            }
            return found
        }
    }

    /// Reads one app license; nil when there is none of that id.
    public func appLicense(_ id: LicenseID) async throws(StoreError) -> AppLicense? {
        try readers.read { connection throws(StoreError) in
            try connection.first(.appLicense, [.license(id)], AppLicense.read)
        }
    }

    /// Lists app licenses in the order of their ids.
    public func appLicenses(
        _ filter: AppLicenseFilter, after cursor: LicenseID?, limit: Int
    ) async throws(StoreError) -> [AppLicense] {
        let limit = min(max(limit, 1), 1_000)
        return try readers.read { connection throws(StoreError) in
            guard let tenant = filter.tenant, filter.item == nil, filter.account == nil, filter.device == nil else {
                return try AppLicense.list(filter, after: cursor, limit: limit, on: connection)
            }
            // One tenant's licenses lie app by app; a page of each holds the page of all.
            var found: [AppLicense] = []
            for item in try connection.all(.appsOfTenant, [.slug(tenant)], AppleItemID.read) {
                var narrowed = filter
                narrowed.item = item
                found += try AppLicense.list(narrowed, after: cursor, limit: limit, on: connection)
            }
            return Array(found.sorted { one, other in one.id < other.id }.prefix(limit))
        }
    }

    /// Counts the app licenses that are about to expire, for every tenant that has any app license.
    public func renewalRisk(at now: Timestamp) async throws(StoreError) -> [RenewalRisk] {
        try readers.read { connection throws(StoreError) in
            try connection.all(
                .renewalRisk, [.moment(now), .moment(now.adding(days: 1)), .moment(now.adding(days: 7))],
                RenewalRisk.read)
        }
    }
}

extension AppLicense {
    fileprivate static func list(
        _ filter: AppLicenseFilter, after cursor: LicenseID?, limit: Int, on connection: Connection
    ) throws(StoreError) -> [AppLicense] {
        try ListQuery(filter, after: cursor, limit: limit).run(AppLicense.selection, on: connection, AppLicense.read)
    }

    fileprivate static let selection: [StaticString] = ["SELECT", columns, "FROM app_licenses"]
}

extension AppleItemID {
    fileprivate static func read(_ row: Row) throws(StoreError) -> AppleItemID { try row.item(0) }
}

extension SQL {
    fileprivate static let marketplaceKeys = SQL(
        "SELECT ", MarketplaceKeyRecord.columns, " FROM marketplace_keys ORDER BY created_at, tenant, purpose, kid")
    fileprivate static let appAsset = SQL(
        "SELECT ", AppAsset.columns,
        " FROM app_assets WHERE tenant = ?1 AND item = ?2 AND version = ?3 AND asset = ?4")
    fileprivate static let appsOfTenant = SQL("SELECT item FROM apps WHERE tenant = ?1")
    fileprivate static let renewalRisk = SQL(
        """
        WITH risk (tenant, day, day_failed, week, week_failed) AS (
            SELECT tenant, sum(term_end <= ?2), sum(term_end <= ?2 AND failed_at IS NOT NULL), count(*), count(failed_at)
            FROM app_licenses
            WHERE state = 'active' AND is_replaced = 0 AND term_end IS NOT NULL AND term_end > ?1 AND term_end <= ?3
            GROUP BY tenant
        )
        SELECT m.tenant, ifnull(day, 0), ifnull(day_failed, 0), ifnull(week, 0), ifnull(week_failed, 0)
        FROM marketplaces m LEFT JOIN risk r ON r.tenant = m.tenant
        WHERE EXISTS (SELECT 1 FROM app_licenses l WHERE l.tenant = m.tenant) ORDER BY m.tenant
        """)
}
