public import TenureCore
public import TenureStore

extension SQLiteStore {
    /// Finds the licenses that a person may mean.
    public func licenses(matching name: LicenseName) async throws(StoreError) -> [License] {
        var query = ListQuery()
        switch name.text {
        case .id(let id): query.require("id = ", .license(id))
        case .key(let hash): query.require("key_hash = ", .blob(hash))
        }
        if let tenant = name.tenant { query.require("tenant = ", .slug(tenant)) }
        if let product = name.product { query.require("product = ", .slug(product)) }
        return try readers.read { connection throws(StoreError) in try License.list(query, on: connection) }
    }

    /// Lists licenses in the order of their ids.
    public func licenses(
        _ filter: LicenseFilter, after cursor: LicenseID?, limit: Int
    ) async throws(StoreError) -> [License] {
        let limit = min(max(limit, 1), 1_000)
        return try readers.read { connection throws(StoreError) in
            guard let tenant = filter.tenant, filter.product == nil, filter.holder == nil else {
                return try License.list(ListQuery(filter, after: cursor, limit: limit), on: connection)
            }
            // One tenant's licenses lie product by product; a page of each holds the page of all.
            var found: [License] = []
            for product in try connection.all(.productsOfTenant, [.slug(tenant)], Row.productName) {
                var narrowed = filter
                narrowed.product = product
                found += try License.list(ListQuery(narrowed, after: cursor, limit: limit), on: connection)
            }
            return Array(found.sorted { one, other in one.id < other.id }.prefix(limit))
        }
    }

    /// Looks for licenses that time has expired and nobody has written down yet.
    public func licensesToExpire(at now: Timestamp, limit: Int) async throws(StoreError) -> [LicenseID] {
        try readers.read { connection throws(StoreError) in
            try connection.all(
                .licensesToExpire, [.moment(now), .integer(limit)], { row throws(StoreError) in try row.license(0) })
        }
    }
}

extension License {
    fileprivate static func list(_ query: ListQuery, on connection: Connection) throws(StoreError) -> [License] {
        try query.run([SQL.licenseColumns], on: connection, License.read)
    }
}

extension Row {
    fileprivate static func productName(_ row: Row) throws(StoreError) -> ProductID { try row.slug(0) }
}

extension SQL {
    fileprivate static let productsOfTenant = SQL("SELECT product FROM products WHERE tenant = ?1")
    fileprivate static let licensesToExpire = SQL(
        """
        SELECT id FROM licenses WHERE state IN ('issued', 'active') AND term_end <= ?1 ORDER BY term_end LIMIT ?2
        """)
}
