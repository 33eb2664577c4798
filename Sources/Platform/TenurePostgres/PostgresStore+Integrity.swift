public import TenureStore

extension PostgresStore {
    /// The database host's clock in POSIX seconds; never `nil`.
    ///
    /// It's read in the session that holds the locks of the roles, so that it doesn't wait for listings.
    public func time() async throws(StoreError) -> Int64? {
        try await leading.run { connection in
            try connection.all(.time) { row in try row.next(Int64.self) }.first
        }
    }

    /// Finds invalid indexes and compares indexes with their tables.
    ///
    /// The comparison needs the `amcheck` extension and the right to use it. It doesn't check pages, because PostgreSQL
    /// checks them itself.
    public func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] {
        try await lists.run { connection in
            let meant: [StoredValue] = [.text(table?.name ?? "")]
            var faults = try connection.all(.invalidIndexes, meant) { row in
                "index \(try row.next(String.self)) is not valid; REINDEX it"
            }
            let checkable = try connection.all(.checkableIndexes, meant) { row in try row.next(String.self) }
            for index in checkable {
                do throws(StoreError) {
                    _ = try connection.all(.checkIndex, [.text(index)]) { _ in () }
                } catch {
                    if error.isTransient || error.code == .closed { throw error }
                    faults.append("index \(index): \(error.cause ?? error.message)")
                }
            }
            return faults
        }
    }

    /// The differences between the database and the declared tables and sets; empty if they match.
    public func schemaFaults(of tables: [TableShape], sets: [SetShape]) async throws(StoreError) -> [String] {
        try await lists.run { connection in
            var faults: [String] = []
            for table in tables {
                faults += try connection.facts(of: table).faults(of: table, sets: sets, in: .postgres)
            }
            return faults
        }
    }
}

extension Connection {
    fileprivate func facts(of table: TableShape) throws(StoreError) -> SchemaFacts {
        let name: [StoredValue] = [.text(table.name)]
        let columns = try all(.columns, name) { row in
            SchemaFacts.Column(name: try row.next(), type: try row.next(), isNullable: try row.next())
        }
        var indexes: [(name: String, isKey: Bool, columns: [String])] = []
        let read = try all(.indexes, name) { row in
            (try row.next(String.self), try row.next(Bool.self), try row.next(String.self))
        }
        for (index, isKey, column) in read {
            if indexes.last?.name != index { indexes.append((index, isKey, [])) }
            indexes[indexes.count - 1].columns.append(column)
        }
        return SchemaFacts(
            columns: columns, key: indexes.first { $0.isKey }?.columns ?? [], indexes: indexes.map(\.columns))
    }
}

extension SQL {
    fileprivate static let invalidIndexes = SQL(
        """
        SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_class t ON t.oid = i.indrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid AND $1::text IN ('', t.relname::text)
        """)
    /// The indexes that `amcheck` can check; none if the extension isn't installed or this user may not use it.
    fileprivate static let checkableIndexes = SQL(
        """
        SELECT c.oid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_class t ON t.oid = i.indrelid JOIN pg_am a ON a.oid = c.relam
        WHERE c.relnamespace = current_schema()::regnamespace AND i.indisvalid AND a.amname = 'btree'
            AND $1::text IN ('', t.relname::text) AND EXISTS (
                SELECT 1 FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.deptype = 'e'
                JOIN pg_extension e ON e.oid = d.refobjid
                WHERE e.extname = 'amcheck' AND p.proname = 'bt_index_check'
                    AND has_function_privilege(p.oid, 'EXECUTE'))
        ORDER BY c.relname
        """)
    fileprivate static let checkIndex = SQL("SELECT bt_index_check($1::text::regclass, true)")
    fileprivate static let time = SQL("SELECT floor(extract(epoch FROM clock_timestamp()))::bigint")
    fileprivate static let columns = SQL(
        """
        SELECT column_name::text, data_type::text, is_nullable = 'YES' FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position
        """)
    fileprivate static let indexes = SQL(
        """
        SELECT c.relname::text, i.indisprimary,
            pg_get_indexdef(i.indexrelid, n.place, true)
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        CROSS JOIN LATERAL generate_series(1, i.indnkeyatts::int) AS n (place)
        WHERE i.indrelid = to_regclass($1) AND i.indisvalid ORDER BY c.relname, n.place
        """)
}
