import TenureStore

extension Texts {
    /// Inserts new rows; an append-only table numbers them in order.
    func insert(_ table: TableShape) -> Made {
        wanted(.insert(ObjectIdentifier(table)), holding: [table]) {
            let types = table.types(table.newColumns)
            let values = types.indices.map { "w.a\($0)" }.joined(separator: ", ")
            let order = table.isAppendOnly ? " ORDER BY w.place" : ""
            let names = table.names(table.newColumns)
            return (
                "INSERT INTO \(table.name) (\(names)) SELECT \(values) FROM \(Chain.requests(types))\(order)", types
            )
        }
    }

    /// Updates the columns of a mask in many rows; bind the keys, the columns and finally the number of rows.
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

    /// Deletes rows; bind their keys and finally the number of rows.
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

    /// Raises a column of rows with a lower value; skips rows that a change has locked.
    func raise(_ table: TableShape, _ column: Int) -> Made {
        wanted(.raise(ObjectIdentifier(table), column: column), holding: [table]) {
            let types = table.types(table.keyColumns + [column])
            let (key, name) = (table.columns[table.keyColumns[0]].name, table.columns[column].name)
            return (
                """
                WITH lower AS (
                    SELECT t.\(key), w.a1 FROM \(Chain.requests(types)) JOIN \(table.name) AS t ON t.\(key) = w.a0
                    WHERE t.\(name) < w.a1 FOR NO KEY UPDATE OF t SKIP LOCKED
                )
                UPDATE \(table.name) AS t SET \(name) = lower.a1 FROM lower WHERE t.\(key) = lower.\(key)
                """, types
            )
        }
    }

    /// Inserts rows from another store unchanged.
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
            let numbered = table.isAppendOnly ? " OVERRIDING SYSTEM VALUE" : ""
            let text = "INSERT INTO \(table.name) (\(table.names(all)))\(numbered) SELECT \(values) FROM \(requests)"
            return (text + table.onAdoption, types)
        }
    }

    private static func keyed(_ table: TableShape) -> String {
        if table.keyColumns.isEmpty { return "" }
        let compared = table.keyColumns.enumerated().map { "t.\(table.columns[$1].name) = w.a\($0)" }
        return " WHERE " + compared.joined(separator: " AND ")
    }

    /// Makes the statement fail unless it changes the expected number of rows, because COMMIT is sent before the count
    /// is known.
    private static func counted(_ change: String, position: Int) -> String {
        "WITH changed AS (\(change) RETURNING 1) SELECT 1 / (count(*) = $\(position)::bigint)::int FROM changed"
    }
}

extension TableShape {
    fileprivate func types(_ positions: [Int]) -> [StoredType] { positions.map { columns[$0].type } }
}
