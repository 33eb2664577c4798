import TenureStore

extension Connection {
    /// Runs the queries of a plan in order, in the current transaction.
    func results(_ bound: BoundQuery) throws(StoreError) -> QueryResult {
        var found = QueryResult.FoundList()
        for placed in bound.plan.queries { found.append(try fetch(placed, bound, beside: found)) }
        if bound.plan.views.isEmpty { return QueryResult(found) }
        var views: [[any Sendable]] = []
        for (view, list) in bound.plan.views { views.append(try answers(view, bound.lists[list])) }
        return QueryResult(found, views: views)
    }

    private func fetch(
        _ placed: QueryPlanShape.Placed, _ bound: BoundQuery, beside found: QueryResult.FoundList
    ) throws(StoreError) -> QueryResult.Found {
        let query = placed.query
        guard placed.base != nil || query.isList else {
            if query.width == 0, query.take == .rows(upTo: 1) {
                return try once(inView: query) { try one(query, [], beside: nil) }
            }
            return try one(query, bound.values[placed.start..<placed.start + query.width], beside: nil)
        }
        var rows: [StoredRow] = []
        var total = 0
        func add(beside base: StoredRow?) throws(StoreError) {
            try bound.eachRequest(of: placed) { request throws(StoreError) in
                switch try one(query, request, beside: base) {
                case .rows(let some): rows += some
                case .row(let row): if let row { rows.append(row) }
                case .count(let count): total += count
                }
            }
        }
        if let base = placed.base {
            if !query.takesMany {
                guard let row = found[base].first else { return Self.nothing(query) }
                return try one(query, bound.values[placed.start..<placed.start + query.width], beside: row)
            }
            for row in found[base].rows { try add(beside: row) }
        } else {
            try add(beside: nil)
        }
        if case .count = query.take { return .count(total) }
        return .rows(rows)
    }

    private static func nothing(_ query: QueryShape) -> QueryResult.Found {
        if case .count = query.take { return .count(0) }
        return query.take == .rows(upTo: 1) ? .row(nil) : .rows([])
    }

    private func one(
        _ query: QueryShape, _ request: ArraySlice<StoredValue>, beside base: StoredRow?
    ) throws(StoreError) -> QueryResult.Found {
        // In SQL, no value equals null, so the query needn't run.
        if request.contains(where: \.isNull) { return Self.nothing(query) }
        var statement = try preparedStatement(query) { SQLDialect.sqlite.looking(at: query.set, query.take) }
        var request = request
        for source in query.sources {
            switch source {
            case .request: try statement.bind(request.removeFirst())
            case .constant(let value): try statement.bind(value)
            case .column(let position):
                guard let base, let table = query.base?.set.table else { return Self.nothing(query) }
                try statement.bind(table.columns[position].value(base))
            }
        }
        if case .count = query.take {
            return .count(try statement.first { cursor in try cursor.next(Int.self) } ?? 0)
        }
        let table = query.set.table
        if query.take == .rows(upTo: 1) {
            return .row(try statement.first { cursor in try table.row(from: &cursor) })
        }
        return .rows(try statement.all { cursor in try table.row(from: &cursor) })
    }

    /// Reads a page of a listing with a statement that isn't cached.
    func rows(_ listing: ListingShape) throws(StoreError) -> [StoredRow] {
        let statement = ListingStatement(listing, in: .sqlite)
        let table = listing.set.table
        return try once(statement.text, statement.values) { cursor in try table.checkedRow(from: &cursor) }
    }

    /// Runs a handwritten query, once for each row of its list.
    func answers(_ view: NamedQueryShape, _ list: [StoredValue]) throws(StoreError) -> [any Sendable] {
        let width = view.parameters.count
        var found: [any Sendable] = []
        for start in width == 0 ? [0] : Array(stride(from: 0, to: list.count, by: width)) {
            var statement = try preparedStatement(view)
            for value in list[start..<start + width] { try statement.bind(value) }
            found += try statement.all { cursor in try view.row(from: &cursor) }
        }
        return found
    }

    func count(of table: TableShape) throws(StoreError) -> Int {
        try once(SQLDialect.sqlite.counting(table)) { cursor in try cursor.next(Int.self) }.first
            ?? 0
    }
}
