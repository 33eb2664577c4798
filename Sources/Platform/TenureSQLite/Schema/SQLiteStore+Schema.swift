package import TenureStore

extension SQLiteStore {
    /// Compares the schema with the declarations and returns the differences as sentences; empty if they match.
    package func schemaFaults(of tables: [TableShape], sets: [SetShape]) async throws(StoreError) -> [String] {
        try await lists.run { connection in
            var faults: [String] = []
            for table in tables {
                faults += try connection.facts(about: table).faults(of: table, sets: sets, in: .sqlite)
            }
            return faults
        }
    }
}

extension Connection {
    fileprivate func facts(about table: TableShape) throws(StoreError) -> SchemaFacts {
        var key: [(position: Int, name: String)] = []
        let columns = try once(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1)", [.text(table.name)]
        ) { row in
            let (name, type) = (try row.next(String.self), try row.next(String.self))
            let (isFull, position) = (try row.next(Bool.self), try row.next(Int.self))
            if position > 0 { key.append((position, name)) }
            // SQLite reports no NOT NULL for an integer that is the rowid, but it is never null.
            return SchemaFacts.Column(name: name, type: type, isNullable: !isFull && position == 0)
        }
        let names = key.sorted { $0.position < $1.position }.map(\.name)
        let indexed = try once(
            """
            SELECT l.name, i.name FROM pragma_index_list(?1) l JOIN pragma_index_info(l.name) i ORDER BY l.seq, i.seqno
            """, [.text(table.name)]
        ) { row in (try row.next(String.self), try row.next(String?.self)) }
        let indexes = Dictionary(grouping: indexed, by: \.0).values.map { parts in parts.map { $0.1 ?? "" } }
        return SchemaFacts(columns: columns, key: names, indexes: indexes + [names])
    }
}
