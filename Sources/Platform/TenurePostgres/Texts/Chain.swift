import TenureStore

/// The `FROM` clause of a query: the requests' arrays, joined with the rows of every query that it builds on.
struct Chain {
    /// The text after `FROM`: `w` holds the requests, numbered by `place`, and `b0`, `b1` ... the rows of the base
    /// queries.
    private(set) var from: String
    /// The expressions with which the columns of the query's set are compared.
    let values: [String]
    /// The types of the requests' arrays.
    let types: [StoredType]

    /// Builds the clause for a query.
    /// - Parameter first: The number of the SQL parameter that holds the first array.
    init(_ query: QueryShape, arraysFrom first: Int = 1) {
        let links = query.chain
        var types: [StoredType] = []
        var values: [[String]] = []
        for (depth, link) in links.enumerated() {
            values.append(
                zip(link.sources, link.set.columns).map { source, column in
                    switch source {
                    case .request:
                        types.append(link.set.table.columns[column].type)
                        return "w.a\(types.count - 1)"
                    case .column(let position):
                        return "b\(depth - 1).\(links[depth - 1].set.table.columns[position].name)"
                    case .constant(let value): return Self.constant(value, of: link.set.table.columns[column].type)
                    }
                })
        }
        from = Self.requests(types, arraysFrom: first)
        for (depth, link) in links.dropLast().enumerated() {
            from += Self.join(link.set, link.take, with: values[depth], as: "b\(depth)")
        }
        self.types = types
        self.values = values[links.count - 1]
    }

    /// A constant as a typed SQL literal.
    static func constant(_ value: StoredValue, of type: StoredType) -> String {
        "\(SQLDialect.postgres.literal(value))::\(SQLDialect.postgres.name(of: type))"
    }

    /// The SQL text of a table `w` with the requests' arrays as its columns.
    static func requests(_ types: [StoredType], arraysFrom first: Int = 1) -> String {
        if types.isEmpty { return "(SELECT 1::bigint AS place) AS w" }
        let arrays = types.enumerated().map { "$\(first + $0)::\(SQLDialect.postgres.name(of: $1))[]" }
        return "unnest(\(arrays.joined(separator: ", "))) WITH ORDINALITY AS w "
            + "(\(types.indices.map { "a\($0), " }.joined())place)"
    }

    /// The SQL text that joins the rows that a set finds.
    static func join(_ set: SetShape, _ take: QueryShape.Take, with values: [String], as alias: String) -> String {
        guard set.isUnique else {
            return " CROSS JOIN LATERAL (\(rows(of: set, take, with: values))) AS \(alias)"
        }
        if set.leading != nil { return " CROSS JOIN LATERAL (SELECT *\(filtered(set, with: values))) AS \(alias)" }
        let compared = set.columns.indices.map { SQLDialect.postgres.comparison(set, $0, with: values[$0], of: alias) }
        return " JOIN \(set.table.name) AS \(alias) ON "
            + (compared.isEmpty ? "TRUE" : compared.joined(separator: " AND "))
    }

    /// The SQL text that selects the rows of a set for given values, in the set's order.
    static func rows(of set: SetShape, _ take: QueryShape.Take, with values: [String]) -> String {
        let rows = "SELECT \(SQLDialect.postgres.columns(set.table))\(filtered(set, with: values))"
        return set.isUnique ? rows : rows + "\(SQLDialect.postgres.order(set)) LIMIT \(take.limit)"
    }

    /// The SQL text that counts the rows of a set for given values, up to the limit.
    static func count(of set: SetShape, _ take: QueryShape.Take, with values: [String]) -> String {
        "(SELECT count(*) FROM (SELECT 1\(filtered(set, with: values)) LIMIT \(take.limit)) AS counted)"
    }

    /// The `FROM` and `WHERE` clauses of a set.
    ///
    /// Without statistics, the planner may use any index. `OFFSET 0` makes it search by the leading columns, if the set
    /// names any.
    private static func filtered(_ set: SetShape, with values: [String]) -> String {
        let compared = set.columns.indices.map { SQLDialect.postgres.comparison(set, $0, with: values[$0]) }
        let leading = compared.prefix(set.leading ?? 0)
        let filter = compared.dropFirst(leading.count) + SQLDialect.postgres.conditions(set)
        let rows =
            leading.isEmpty
            ? set.table.name
            : "(SELECT * FROM \(set.table.name) WHERE \(leading.joined(separator: " AND ")) OFFSET 0) AS led"
        return " FROM \(rows)" + (filter.isEmpty ? "" : " WHERE " + filter.joined(separator: " AND "))
    }
}
