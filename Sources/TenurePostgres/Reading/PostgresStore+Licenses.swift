public import TenureCore
public import TenureStore

extension PostgresStore {
    /// Finds the licenses that a person may mean.
    public func licenses(matching name: LicenseName) async throws(StoreError) -> [License] {
        var finding = ListQuery()
        switch name.text {
        case .id(let id): finding.require("id = ", .license(id))
        case .key(let hash): finding.require("key_hash = ", .blob(hash))
        }
        if let tenant = name.tenant { finding.require("tenant = ", .slug(tenant)) }
        if let product = name.product { finding.require("product = ", .slug(product)) }
        let query = finding
        return try await readers.read { connection throws(StoreError) in
            try query.run([SQL.licenseColumns], on: connection, License.read)
        }
    }

    /// Lists licenses in the order of their ids.
    public func licenses(
        _ filter: LicenseFilter, after cursor: LicenseID?, limit: Int
    ) async throws(StoreError) -> [License] {
        let query = ListQuery(filter, after: cursor, limit: min(max(limit, 1), 1_000))
        return try await readers.read { connection throws(StoreError) in
            try query.run([SQL.licenseColumns], on: connection, License.read)
        }
    }

    /// Looks for licenses that time has expired and nobody has written down yet.
    public func licensesToExpire(at now: Timestamp, limit: Int) async throws(StoreError) -> [LicenseID] {
        try await readers.read { connection throws(StoreError) in
            try connection.all(
                .licensesToExpire, [.moment(now), .integer(limit)], { row throws(StoreError) in try row.license(0) })
        }
    }
}

extension SQL {
    fileprivate static let licensesToExpire = SQL(
        """
        SELECT id FROM licenses WHERE state IN ('issued', 'active') AND term_end <= $1 ORDER BY term_end LIMIT $2
        """)
}
