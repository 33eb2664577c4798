import TenureCore
import TenureStore

/// A query for a listing, put together from the conditions that matter, so that each finds its index.
struct ListQuery {
    private var conditions: [StaticString] = []
    private var values: [Value] = []
    private var limit = 1_000

    init() {}

    /// A page of rows after the cursor, in the order of their ids.
    init(after cursor: LicenseID?, limit: Int) {
        self.limit = limit
        if let cursor { require("id > ", .license(cursor)) }
    }

    /// Adds a comparison with a value.
    mutating func require(_ comparison: StaticString, _ value: Value) {
        conditions.append(contentsOf: [conditions.isEmpty ? "WHERE" : "AND", comparison, Self.places[values.count]])
        values.append(value)
    }

    /// Adds a condition that nothing is bound to.
    mutating func require(_ condition: StaticString) {
        conditions.append(contentsOf: [conditions.isEmpty ? "WHERE" : "AND", condition])
    }

    /// Reads what is found, in the order of the ids.
    func run<Read>(
        _ selection: [StaticString], on connection: Connection, _ read: (Row) throws(StoreError) -> Read
    ) throws(StoreError) -> [Read] {
        let sql = SQL(once: selection + conditions + ["ORDER BY id LIMIT", Self.places[values.count]])
        return try connection.all(sql, values + [.integer(limit)], read)
    }

    private static let places: [StaticString] = ["$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8"]
}
