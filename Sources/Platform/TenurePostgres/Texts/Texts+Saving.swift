import TenureStore

extension Texts {
    /// The statement that inserts new rows; those of an append-only table are numbered in the order in which they're
    /// bound.
    func insert(_ table: TableShape) -> Made {
        wanted(.insert(ObjectIdentifier(table)), holding: [table]) {
            let types = table.types(table.newColumns)
            let values = types.indices.map { "w.a\($0)" }.joined(separator: ", ")
            let requests = Chain.requests(types)
            if let counter = table.counter { return (Self.append(to: table, counter, values, from: requests), types) }
            return (
                "INSERT INTO \(table.name) (\(table.names(table.newColumns))) SELECT \(values) FROM \(requests)", types
            )
        }
    }

    /// The text of a statement that raises the counters by the numbers of new rows, inserts the rows with their
    /// numbers, and returns the counters.
    ///
    /// The counters are locked in the order of their keys until the transaction ends. So the numbers have no holes, and
    /// rows become visible in their order.
    private static func append(
        to table: TableShape, _ counter: TableShape, _ values: String, from requests: String
    ) -> String {
        let scope = table.keyColumns.dropLast().map { "a\(table.newColumns.firstIndex(of: $0) ?? 0)" }
        let group = scope.map { "w.\($0)" }.joined(separator: ", ")
        let keys = counter.keyColumns.map { counter.columns[$0].name }
        let last = counter.columns[counter.numberColumn].name
        let match = zip(keys, scope).map { "c.\($0) = w.\($1)" }.joined(separator: " AND ")
        let number = table.names([table.keyColumns[table.keyColumns.count - 1]])
        return """
            WITH w AS MATERIALIZED (SELECT * FROM \(requests)), c AS (
                INSERT INTO \(counter.name) AS known (\(keys.joined(separator: ", ")), \(last))
                SELECT \(group), count(*) FROM w GROUP BY \(group) ORDER BY \(group)
                ON CONFLICT (\(keys.joined(separator: ", "))) DO UPDATE SET \(last) = known.\(last) + excluded.\(last)
                RETURNING \(keys.joined(separator: ", ")), \(last)
            ), added AS (
                INSERT INTO \(table.name) (\(table.names(table.newColumns)), \(number))
                SELECT \(values), c.\(last) - count(*) OVER (PARTITION BY \(group))
                    + row_number() OVER (PARTITION BY \(group) ORDER BY w.place)
                FROM w JOIN c ON \(match)
            )
            SELECT \(keys.joined(separator: ", ")), \(last) FROM c
            """
    }

    /// The statement that updates the columns of a mask in many rows; bind the keys, the columns and finally the number
    /// of rows.
    func update(_ table: TableShape, _ mask: UInt64) -> Made {
        wanted(.update(ObjectIdentifier(table), mask: mask), holding: [table]) {
            let keys = table.keyColumns
            let changed = table.columns(in: mask)
            let types = table.types(keys + changed)
            let assignments = changed.enumerated().map { number, column in
                "\(table.columns[column].name) = w.a\(keys.count + number)"
            }
            return (
                Self.counted(
                    "UPDATE \(table.name) AS t SET \(assignments.joined(separator: ", ")) FROM \(Chain.requests(types))"
                        + Self.keyed(table), position: types.count + 1), types
            )
        }
    }

    /// The statement that deletes rows; bind their keys and finally the number of rows.
    func remove(_ table: TableShape) -> Made {
        wanted(.remove(ObjectIdentifier(table)), holding: [table]) {
            let types = table.types(table.keyColumns)
            return (
                Self.counted(
                    "DELETE FROM \(table.name) AS t USING \(Chain.requests(types))" + Self.keyed(table),
                    position: types.count + 1), types
            )
        }
    }

    /// The statement that inserts rows of a key and a value, or raises the value of rows that exist.
    ///
    /// Bind the rows sorted by key, so that two servers that raise the same rows never deadlock.
    func raise(_ table: TableShape) -> Made {
        wanted(.raise(ObjectIdentifier(table)), holding: [table]) {
            let types = table.types([0, 1])
            let rows = "SELECT w.a0, w.a1 FROM \(Chain.requests(types))"
            return ("INSERT INTO \(table.name) (\(table.names([0, 1]))) \(rows)" + table.onRaise, types)
        }
    }

    /// The statement that inserts rows from another store unchanged.
    func adopt(_ table: TableShape) -> Made {
        wanted(.adopt(ObjectIdentifier(table)), holding: [table]) {
            let all = Array(table.columns.indices)
            let types = table.types(all)
            let requests = Chain.requests(types)
            if table.keyColumns.isEmpty {
                let set = all.map { "\(table.columns[$0].name) = w.a\($0)" }.joined(separator: ", ")
                return ("UPDATE \(table.name) SET \(set) FROM \(requests)", types)
            }
            let values = all.map { "w.a\($0)" }.joined(separator: ", ")
            let text = "INSERT INTO \(table.name) (\(table.names(all))) SELECT \(values) FROM \(requests)"
            return (text + table.onAdoption, types)
        }
    }

    private static func keyed(_ table: TableShape) -> String {
        if table.keyColumns.isEmpty { return "" }
        let compared = table.keyColumns.enumerated().map { "t.\(table.columns[$1].name) = w.a\($0)" }
        return " WHERE " + compared.joined(separator: " AND ")
    }

    /// The text of a change that fails unless it changes the expected number of rows. COMMIT is sent before the number
    /// of changed rows is known, so the statement itself must fail.
    private static func counted(_ change: String, position: Int) -> String {
        "WITH changed AS (\(change) RETURNING 1) SELECT 1 / (count(*) = $\(position)::bigint)::int FROM changed"
    }
}

extension TableShape {
    fileprivate func types(_ positions: [Int]) -> [StoredType] { positions.map { columns[$0].type } }
}
