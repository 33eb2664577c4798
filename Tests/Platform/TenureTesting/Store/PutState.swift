import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The rows that a list of puts affects, as changed by the puts applied so far.
struct PutState {
    private var tables: [String: [StoredValues: any Stored]] = [:]

    /// Adds a row, or replaces the row with the same key.
    mutating func take<Row: Stored>(_ row: Row) {
        tables[Row.table.shape.name, default: [:]][StoredValues(row.keyValues)] = row
    }

    /// Returns the row with this key, or `nil`.
    func find<Row: Stored>(_ type: Row.Type, _ key: [StoredValue]) -> Row? {
        tables[Row.table.shape.name]?[StoredValues(key)] as? Row
    }

    /// Returns the write that inserts or replaces a row.
    mutating func put<Row: Stored>(_ row: Row) -> RowWrite {
        defer { take(row) }
        return .put(row, over: find(Row.self, row.keyValues))
    }

    /// Returns the writes that remove matching rows, ordered by key.
    mutating func remove<Row: Stored>(_ type: Row.Type, where isMeant: (Row) -> Bool) -> [RowWrite] {
        let name = Row.table.shape.name
        let meant = (tables[name] ?? [:]).compactMapValues { row in (row as? Row).flatMap { isMeant($0) ? $0 : nil } }
        for key in meant.keys { tables[name]?[key] = nil }
        return meant.sorted { $0.key < $1.key }.map { RowWrite.remove($0.value) }
    }
}

/// The values that a list of puts looks up, by the full names of keys and sets.
struct PutValues: Sendable {
    private var values: [String: [StoredValue]] = [:]

    init(_ puts: [Put]) {
        var bound: Set<[String: [StoredValue]]> = []
        for (name, requested) in puts.flatMap(\.wants) where bound.insert([name: requested]).inserted {
            values[name, default: []] += requested
        }
    }

    subscript(set: String) -> [StoredValue] { values[set] ?? [] }
}

/// The queries for all rows that puts may affect, one query for each key or set.
struct PutQueries: Sendable {
    private var takers: [@Sendable (QueryResult, inout PutState) -> Void] = []
    private var version: RowQuery<CatalogVersion>?

    /// The query plan for puts that include rows whose changes run alone.
    static let alone = QueryPlan(isAlone: true) { query in PutQueries(&query, alone: true) }
    /// The query plan for puts of all other rows.
    static let beside = QueryPlan { query in PutQueries(&query, alone: false) }

    /// Builds the queries. `alone` adds the queries for rows whose changes run alone.
    init(_ query: inout QueryBuilder<PutValues>, alone: Bool) {
        add(License.table.key, &query)
        add(Activation.table.key, &query)
        add(LicenseCredential.table.key, &query)
        add(Trial.table.key, &query)
        add(Trial.Device.table.key, &query)
        add(TokenRecord.table.key, &query)
        add(SettingRecord.table.key, &query)
        add(IdempotentResponse.table.key, &query)
        add(Job.table.key, &query)
        add(LeaderTerm.table.key, &query)
        add(Account.table.key, &query)
        add(AccountCredential.table.key, &query)
        add(AppGrant.table.key, &query)
        add(AppLicense.table.key, &query)
        guard alone else { return }
        version = query.row(CatalogVersion.table.key)
        add(TenantRow.table.key, &query)
        add(TenantVersion.table.key, &query)
        add(Product.table.key, &query)
        add(PolicyRow.table.key, &query)
        add(PolicyRow.ofProduct, &query)
        add(SigningKeyRecord.table.key, &query)
        add(MarketplaceRow.table.key, &query)
        add(AppRow.table.key, &query)
        add(AppRow.ofTenant, &query)
        add(VersionRow.ofApp, &query)
        add(VersionRow.ofTenant, &query)
        add(AppAsset.table.key, &query)
        add(AppAsset.ofApp, &query)
        add(AppAsset.ofTenant, &query)
        add(MarketplaceKeyRecord.table.key, &query)
    }

    private mutating func add<Row: Stored>(_ key: Key<Row>, _ query: inout QueryBuilder<PutValues>) {
        let name = key.shape.fullName
        add(query.each(key) { $0[name] })
    }

    private mutating func add<Row: Stored>(_ set: RowSet<Row>, _ query: inout QueryBuilder<PutValues>) {
        let name = set.shape.fullName
        add(query.each(set, upTo: .everything) { $0[name] })
    }

    private mutating func add<Row: Stored>(_ query: RowsQuery<Row>) {
        takers.append { results, state in for row in results[query] { state.take(row) } }
    }

    /// Returns the catalog's version; 0 if the plan doesn't read it.
    func version(in results: QueryResult) -> Int64 { version.flatMap { results[$0] }?.version ?? 0 }

    /// Returns the writes of the puts.
    ///
    /// The writes raise the catalog's version once if they change rows whose changes run alone.
    func saves(of puts: [Put], in results: QueryResult) -> [RowWrite] {
        var state = PutState()
        for taker in takers { taker(results, &state) }
        let saves = puts.flatMap { put in put.saves(&state) }
        guard let version, let before = results[version], saves.contains(where: \.table.changesAlone) else {
            return saves
        }
        return saves + [.replace(before, by: CatalogVersion(version: before.version + 1))]
    }
}

extension Store {
    /// Saves rows in one change, whatever the store contains.
    func save(_ puts: [Put]) async throws(StoreError) {
        let plan = puts.contains(where: \.isAlone) ? PutQueries.alone : PutQueries.beside
        let queries = plan.queries
        try await perform(
            Transaction(plan.bind(PutValues(puts))) { results in
                TransactionResult((), queries.saves(of: puts, in: results))
            })
    }

    /// Saves the sample catalog, then further rows.
    func saveCatalog(and puts: [Put] = []) async throws(StoreError) {
        try await save(Sample.catalog + puts)
    }
}
