public import TenureStore

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

extension SQLiteStore {
    /// Compares the file's tables, keys, indexes, triggers and recorded migrations with those of a new store.
    public func schemaFaults(of schema: StoreSchema) async throws(StoreError) -> [SchemaFault] {
        let new = try SQLiteStore.inMemory(schema)
        let declared: [SchemaObject]
        do throws(StoreError) {
            declared = try await new.lists.run { connection in try connection.schemaObjects() }
        } catch {
            await new.close()
            throw error
        }
        await new.close()
        return try await lists.run { connection in
            let recorded = Set(try connection.once("SELECT id FROM migrations") { row in try row.next(String.self) })
            return try connection.schemaObjects().faults(against: declared, recorded: recorded, of: schema)
        }
    }
}

extension Connection {
    /// The tables, indexes, triggers, views and references of the database.
    ///
    /// A table has no definition here: a migrated one has its columns in another order. Its columns are compared
    /// separately. SQLite reports no NOT NULL for an integer that is the rowid, but it is never null.
    fileprivate func schemaObjects() throws(StoreError) -> [SchemaObject] {
        let objects = try once(
            "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'"
        ) { row in
            let (kind, name) = (try row.next(String.self), try row.next(String.self))
            let (table, text) = (try row.next(String.self), try row.next(String.self))
            return SchemaObject(kind, name, of: table, kind == "table" ? "" : text)
        }
        let references = try once(
            """
            SELECT m.name, f."table", group_concat(f."from", ', ') FROM sqlite_schema m
            JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' GROUP BY m.name, f.id ORDER BY m.name, f.id
            """
        ) { row in
            let (table, other) = (try row.next(String.self), try row.next(String.self))
            let columns = try row.next(String.self)
            return SchemaObject("reference", "\(table) (\(columns))", of: table, other)
        }
        let columns = try once(
            """
            SELECT m.name, i.name, i.type, i."notnull" OR i.pk FROM sqlite_schema m
            JOIN pragma_table_info(m.name) i WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite~_%' ESCAPE '~'
            """
        ) { row in
            let (table, name) = (try row.next(String.self), try row.next(String.self))
            let (type, isFull) = (try row.next(String.self), try row.next(Bool.self))
            return SchemaObject("column", "\(table).\(name)", of: table, type + (isFull ? " NOT NULL" : ""))
        }
        return objects + references + columns
    }

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
