import TenureStore

extension Texts {
    /// The statement that runs a plan for many requests and returns one row for each; `nil` if the plan has named
    /// queries, or queries for several rows.
    func fetch(_ plan: QueryPlanShape) -> Made? {
        let isNarrow = plan.queries.allSatisfy { !$0.query.takesMany && $0.query.isNarrow }
        guard isNarrow, plan.views.isEmpty else { return nil }
        return wanted(.fetch(ObjectIdentifier(plan)), holding: [plan]) {
            var types: [StoredType] = []
            var selected = ["w.place"]
            var joins = ""
            for (number, placed) in plan.queries.enumerated() {
                let query = placed.query
                let values = zip(query.sources, query.set.columns).map { source, column in
                    switch source {
                    case .request:
                        types.append(query.set.table.columns[column].type)
                        return "w.a\(types.count - 1)"
                    case .column(let position):
                        return "l\(placed.base ?? 0).\(query.base?.set.table.columns[position].name ?? "")"
                    case .constant(let value): return Chain.constant(value, of: query.set.table.columns[column].type)
                    }
                }
                if case .count = query.take {
                    selected.append(Chain.count(of: query.set, query.take, with: values))
                } else {
                    joins +=
                        " LEFT JOIN LATERAL (\(Chain.rows(of: query.set, query.take, with: values))) AS l\(number) ON TRUE"
                    selected.append(SQLDialect.postgres.columns(query.set.table, of: "l\(number)"))
                }
            }
            return ("SELECT \(selected.joined(separator: ", ")) FROM \(Chain.requests(types))\(joins)", types)
        }
    }
}

extension Connection {
    /// Runs requests for one plan in one statement; returns `nil` if the plan doesn't allow that.
    func lookAtOnce(_ group: [BoundQuery]) throws(StoreError) -> [QueryResult]? {
        let plan = group[0].plan
        guard let made = texts.fetch(plan) else { return nil }
        outgoing.clear()
        outgoing.add(made.sql)
        for (position, type) in made.types.enumerated() {
            outgoing.bind(type, count: group.count) { group[$0].values[position] }
        }
        // A plan without request values returns a single row for all requests.
        let count = made.types.isEmpty ? 1 : group.count
        var results = [QueryResult?](repeating: nil, count: count)
        try roundTrip()[0].forEach { cursor in
            let position = try position(from: &cursor, below: count)
            var found = QueryResult.FoundList()
            for placed in plan.queries { found.append(try cursor.found(by: placed.query)) }
            results[position] = QueryResult(found)
        }
        let found = results.compactMap { $0 }
        guard found.count == count else { throw malformedResponse }
        return made.types.isEmpty ? Array(repeating: found[0], count: group.count) : found
    }
}

extension QueryShape {
    /// Whether the query returns at most one row, or a count.
    fileprivate var isNarrow: Bool {
        if case .rows(let limit) = take { limit == 1 } else { true }
    }
}

extension RowCursor {
    /// Reads a query's result: a count, or the columns of a row, which are all null if there's no row.
    fileprivate mutating func found(by query: QueryShape) throws(StoreError) -> QueryResult.Found {
        if case .count = query.take { return .count(try next()) }
        let table = query.set.table
        var own = self
        // The next query's columns follow this row, even if the row's reader leaves out the trailing folds.
        column += Int32(table.columns.count)
        return .rows(own.isNull(of: table) ? [] : [try table.row(from: &own)])
    }

    /// Whether the columns at this position are all null because there's no row.
    func isNull(of table: TableShape) -> Bool {
        var other = self
        other.column += Int32(table.columns.firstIndex { !$0.isNullable } ?? 0)
        return other.isNull
    }
}
