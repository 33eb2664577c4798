import TenureCore
import TenureStore

extension Texts {
    /// The statement that reads the rows of a table that its queries find, and optionally locks them in key order.
    func keyed(_ table: TableShape, _ queries: [QueryShape], isLocking: Bool) -> Made {
        wanted(.keyed(queries.map(\.id), isLocking: isLocking)) {
            var types: [StoredType] = []
            var sources: [String] = []
            for query in queries {
                let chain = Chain(query, arraysFrom: types.count + 1)
                types += chain.types
                sources.append(Self.keys(of: query.set, with: chain.values, from: chain.from))
            }
            return (Self.rows(of: table, keyedBy: sources, isLocking: isLocking), types)
        }
    }

    /// The statement that reads, and optionally locks, the rows that a set finds for values from other rows.
    func found(_ set: SetShape, isLocking: Bool) -> Made {
        wanted(.found(ObjectIdentifier(set)), holding: [set]) {
            let types = set.columns.map { set.table.columns[$0].type }
            let values = types.indices.map { "w.a\($0)" }
            let source = Self.keys(of: set, with: values, from: Chain.requests(types))
            return (Self.rows(of: set.table, keyedBy: [source], isLocking: isLocking), types)
        }
    }

    /// The statement that reads or counts the rows of a set.
    ///
    /// Each result row starts with the number of its request. If the values come from other rows, it starts with those
    /// values, and values without a row appear once.
    func set(_ query: QueryShape) -> Made {
        wanted(.set(query.id)) {
            let chain = Chain(query)
            if query.base == nil {
                return (Self.answers(to: query, from: chain.from, given: ["w.place"], with: chain.values), chain.types)
            }
            let names = chain.values.indices.map { "w.v\($0)" }
            let values = chain.values.enumerated().map { "\($1) AS v\($0)" }.joined(separator: ", ")
            let distinct = "(SELECT DISTINCT \(values) FROM \(chain.from)) AS w"
            return (Self.answers(to: query, from: distinct, given: names, with: names), chain.types)
        }
    }

    /// The statement of a handwritten query over a list of parameters.
    func view(_ view: NamedQueryShape) -> Made {
        wanted(.view(ObjectIdentifier(view)), holding: [view]) { (view.postgres, view.parameters) }
    }

    /// The statement that takes the advisory locks whose numbers the given queries compute, in ascending order.
    func guards(_ guards: [QueryLock]) -> Made {
        wanted(.guards(guards.map(ObjectIdentifier.init)), holding: guards) {
            var types: [StoredType] = []
            let queries = guards.map { lock in
                defer { types += lock.parameters }
                return lock.postgres.movingPlaces(by: types.count)
            }
            let numbers = queries.map { "(\($0))" }.joined(separator: " UNION ")
            return ("SELECT pg_advisory_xact_lock(number) FROM (\(numbers) ORDER BY 1) AS numbers (number)", types)
        }
    }

    private static func keys(of set: SetShape, with values: [String], from: String) -> String {
        let keys = set.table.keyColumns
        if set.columns == keys { return "SELECT \(values.joined(separator: ", ")) FROM \(from)" }
        let names = keys.map { "r.\(set.table.columns[$0].name)" }.joined(separator: ", ")
        return "SELECT \(names) FROM \(from)\(Chain.join(set, .rows(upTo: 1), with: values, as: "r"))"
    }

    private static func rows(of table: TableShape, keyedBy sources: [String], isLocking: Bool) -> String {
        let select = "SELECT \(SQLDialect.postgres.columns(table)) FROM \(table.name)"
        let lock = isLocking ? " FOR UPDATE" : ""
        if table.keyColumns.isEmpty { return select + lock }
        let names = table.keyColumns.map { table.columns[$0].name }.joined(separator: ", ")
        let order = isLocking ? " ORDER BY \(names)" : ""
        return "\(select) WHERE (\(names)) IN (\(sources.joined(separator: " UNION ")))\(order)\(lock)"
    }

    private static func answers(
        to query: QueryShape, from: String, given names: [String], with values: [String]
    ) -> String {
        let given = names.joined(separator: ", ")
        switch query.take {
        case .count:
            return "SELECT \(given), \(Chain.count(of: query.set, query.take, with: values)) FROM \(from)"
        case .rows:
            let rows = Chain.rows(of: query.set, query.take, with: values)
            let join =
                query.base == nil ? "CROSS JOIN LATERAL (\(rows)) AS r" : "LEFT JOIN LATERAL (\(rows)) AS r ON TRUE"
            return "SELECT \(given), \(SQLDialect.postgres.columns(query.set.table, of: "r")) FROM \(from) \(join)"
        }
    }
}

extension String {
    /// The text with the number of each placeholder, such as `$2`, increased.
    fileprivate func movingPlaces(by count: Int) -> String {
        if count == 0 { return self }
        let pieces = split(atByte: "$", omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce(String(pieces[0])) { text, piece in
            let digits = piece.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits) else { return "\(text)$\(piece)" }
            return "\(text)$\(number + count)\(piece.dropFirst(digits.count))"
        }
    }
}
