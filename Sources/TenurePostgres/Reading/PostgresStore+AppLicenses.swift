public import TenureCore
public import TenureStore

extension PostgresStore {
    /// Reads the keys of all marketplaces, oldest first.
    public func marketplaceKeys() async throws(StoreError) -> [MarketplaceKeyRecord] {
        try await readers.read { connection throws(StoreError) in
            try connection.all(.marketplaceKeys, [], MarketplaceKeyRecord.read)
        }
    }

    /// Reads the assets of these names that a tenant's marketplace has, each once, in the order of their names.
    public func appAssets(_ refs: [AssetRef], of tenant: TenantID) async throws(StoreError) -> [AppAsset] {
        let names = Array(Set(refs.prefix(1_000)))
        let values: [Value] = [
            .slug(tenant), .integers(names.map { Int64(bitPattern: $0.item.number) }),
            .integers(names.map { Int64(bitPattern: $0.version.number) }), .texts(names.map(\.asset.text)),
        ]
        return try await lookups.read { connection throws(StoreError) in
            try connection.all(.appAssets, values, AppAsset.read)
        }
    }

    /// Reads one app license; nil when there is none of that id.
    public func appLicense(_ id: LicenseID) async throws(StoreError) -> AppLicense? {
        try await lookups.read { connection throws(StoreError) in
            try connection.first(.appLicense, [.license(id)], AppLicense.read)
        }
    }

    /// Lists app licenses in the order of their ids.
    public func appLicenses(
        _ filter: AppLicenseFilter, after cursor: LicenseID?, limit: Int
    ) async throws(StoreError) -> [AppLicense] {
        let query = ListQuery(filter, after: cursor, limit: min(max(limit, 1), 1_000))
        return try await readers.read { connection throws(StoreError) in
            try query.run(["SELECT", AppLicense.columns, "FROM app_licenses"], on: connection, AppLicense.read)
        }
    }

    /// Counts the app licenses that are about to expire, for every tenant that has any app license.
    public func renewalRisk(at now: Timestamp) async throws(StoreError) -> [RenewalRisk] {
        try await readers.read { connection throws(StoreError) in
            try connection.all(
                .renewalRisk, [.moment(now), .moment(now.adding(days: 1)), .moment(now.adding(days: 7))],
                RenewalRisk.read)
        }
    }
}

extension SQL {
    fileprivate static let marketplaceKeys = SQL(
        "SELECT ", MarketplaceKeyRecord.columns, " FROM marketplace_keys ORDER BY created_at, tenant, purpose, kid")
    fileprivate static let appAssets = SQL(
        "SELECT ", AppAsset.columns,
        """
         FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS w (of_item, of_version, name)
        JOIN app_assets ON tenant = $1 AND item = of_item AND version = of_version AND asset = name
        ORDER BY item, version, asset
        """)
    fileprivate static let appLicense = SQL("SELECT ", AppLicense.columns, " FROM app_licenses WHERE id = $1")
    fileprivate static let renewalRisk = SQL(
        """
        WITH risk AS (
            SELECT tenant, count(*) FILTER (WHERE term_end <= $2) AS day,
                count(failed_at) FILTER (WHERE term_end <= $2) AS day_failed,
                count(*) AS week, count(failed_at) AS week_failed
            FROM app_licenses
            WHERE state = 'active' AND NOT is_replaced AND term_end IS NOT NULL AND term_end > $1 AND term_end <= $3
            GROUP BY tenant
        )
        SELECT m.tenant, coalesce(day, 0), coalesce(day_failed, 0), coalesce(week, 0), coalesce(week_failed, 0)
        FROM marketplaces m LEFT JOIN risk r ON r.tenant = m.tenant
        WHERE EXISTS (SELECT 1 FROM app_licenses l WHERE l.tenant = m.tenant) ORDER BY m.tenant
        """)
}
