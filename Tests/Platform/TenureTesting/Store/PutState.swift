import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The rows that a list of puts affects, after the puts so far.
struct PutState {
    private var tables: [String: [StoredValues: any Stored]] = [:]

    /// Adds a row that was loaded.
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
        var asked: Set<[String: [StoredValue]]> = []
        for (name, wanted) in puts.flatMap(\.wants) where asked.insert([name: wanted]).inserted {
            values[name, default: []] += wanted
        }
    }

    subscript(set: String) -> [StoredValue] { values[set] ?? [] }
}

/// The queries for everything that puts may affect, each with a list of its own.
struct PutLooks: Sendable {
    private var takers: [@Sendable (QueryResult, inout PutState) -> Void] = []
    private var version: RowQuery<CatalogVersion>?

    /// The query plan for puts that include rows whose changes run alone.
    static let alone = QueryPlan(isAlone: true) { ask in PutLooks(&ask, alone: true) }
    /// The query plan for puts of all other rows.
    static let beside = QueryPlan { ask in PutLooks(&ask, alone: false) }

    /// Builds the queries; `alone` adds those for rows whose changes run alone.
    init(_ ask: inout QueryBuilder<PutValues>, alone: Bool) {
        add(License.table.key, &ask)
        add(Activation.table.key, &ask)
        add(LicenseCredential.table.key, &ask)
        add(Trial.table.key, &ask)
        add(TokenRecord.table.key, &ask)
        add(SettingRecord.table.key, &ask)
        add(IdempotentResponse.table.key, &ask)
        add(Job.table.key, &ask)
        add(LeaderTerm.table.key, &ask)
        add(Account.table.key, &ask)
        add(AccountCredential.table.key, &ask)
        add(AppGrant.table.key, &ask)
        add(AppLicense.table.key, &ask)
        guard alone else { return }
        version = ask.row(CatalogVersion.table.key)
        add(TenantRow.table.key, &ask)
        add(TenantVersion.table.key, &ask)
        add(Product.table.key, &ask)
        add(PolicyRow.table.key, &ask)
        add(PolicyRow.ofProduct, &ask)
        add(SigningKeyRecord.table.key, &ask)
        add(MarketplaceRow.table.key, &ask)
        add(AppRow.table.key, &ask)
        add(AppRow.ofTenant, &ask)
        add(VersionRow.ofApp, &ask)
        add(VersionRow.ofTenant, &ask)
        add(AppAsset.table.key, &ask)
        add(AppAsset.ofApp, &ask)
        add(AppAsset.ofTenant, &ask)
        add(MarketplaceKeyRecord.table.key, &ask)
    }

    private mutating func add<Row: Stored>(_ key: Key<Row>, _ ask: inout QueryBuilder<PutValues>) {
        let name = key.shape.fullName
        add(ask.each(key) { $0[name] })
    }

    private mutating func add<Row: Stored>(_ set: RowSet<Row>, _ ask: inout QueryBuilder<PutValues>) {
        let name = set.shape.fullName
        add(ask.each(set, upTo: .everything) { $0[name] })
    }

    private mutating func add<Row: Stored>(_ look: RowsQuery<Row>) {
        takers.append { seen, state in for row in seen[look] { state.take(row) } }
    }

    /// Returns the catalog's version; 0 if the plan doesn't read it.
    func version(in seen: QueryResult) -> Int64 { version.flatMap { seen[$0] }?.version ?? 0 }

    /// Returns the writes of the puts.
    ///
    /// They raise the catalog's version once if they change rows whose changes run alone.
    func saves(of puts: [Put], in seen: QueryResult) -> [RowWrite] {
        var state = PutState()
        for taker in takers { taker(seen, &state) }
        let saves = puts.flatMap { put in put.saves(&state) }
        guard let version, let before = seen[version], saves.contains(where: \.table.changesAlone) else {
            return saves
        }
        return saves + [.replace(before, by: CatalogVersion(version: before.version + 1))]
    }
}

extension Store {
    /// Saves rows in one change, whatever the store contains.
    func save(_ puts: [Put]) async throws(StoreError) {
        let form = puts.contains(where: \.isAlone) ? PutLooks.alone : PutLooks.beside
        let looks = form.looks
        try await perform(
            Transaction(form.asked(PutValues(puts))) { seen in TransactionResult((), looks.saves(of: puts, in: seen)) })
    }

    /// Saves the sample catalog, then further rows.
    func saveCatalog(and puts: [Put] = []) async throws(StoreError) {
        try await save(Sample.catalog + puts)
    }
}
