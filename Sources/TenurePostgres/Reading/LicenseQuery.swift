import TenureCore
import TenureStore

/// A query for licenses, put together from the conditions that matter, so that each finds its index.
struct LicenseQuery {
    private var conditions: [StaticString] = []
    private var values: [Value] = []
    private var limit = 1_000

    init() {}

    init(_ filter: LicenseFilter, after cursor: LicenseID?, limit: Int) {
        self.limit = limit
        if let cursor { require("id > ", .license(cursor)) }
        if let tenant = filter.tenant { require("tenant = ", .slug(tenant)) }
        if let product = filter.product { require("product = ", .slug(product)) }
        if let policy = filter.policy { require("policy = ", .slug(policy)) }
        if let holder = filter.holder { require("holder = ", .text(holder)) }
        if let state = filter.state { require(state, at: filter.now) }
    }

    /// Adds a comparison with a value.
    mutating func require(_ comparison: StaticString, _ value: Value) {
        conditions.append(contentsOf: [conditions.isEmpty ? "WHERE" : "AND", comparison, Self.places[values.count]])
        values.append(value)
    }

    func run(on connection: Connection) throws(StoreError) -> [License] {
        let end: [StaticString] = ["ORDER BY id LIMIT", Self.places[values.count]]
        let sql = SQL(once: [SQL.licenseColumns] + conditions + end)
        return try connection.all(sql, values + [.integer(limit)], License.read)
    }

    /// The state as `License.state(at:)` sees it: what was recorded, moved on by time.
    private mutating func require(_ state: LicenseState, at now: Timestamp) {
        switch state {
        case .suspended, .revoked, .returned:
            require("state = ", .text(state.rawValue))
        case .issued:
            require(Self.open, .moment(now))
            conditions.append("AND first_activated_at IS NULL")
        case .active:
            require(Self.open, .moment(now))
            conditions.append("AND first_activated_at IS NOT NULL")
        case .expired:
            require("state IN ('issued', 'active', 'expired') AND term_end <= ", .moment(now))
        }
    }

    private static let places: [StaticString] = ["$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8"]

    private static let open: StaticString =
        "state IN ('issued', 'active', 'expired') AND coalesce(term_end, 9223372036854775807) > "
}
