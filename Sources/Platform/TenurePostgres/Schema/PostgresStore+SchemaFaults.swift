public import TenureStore

extension PostgresStore {
    /// Compares the database's tables, keys, indexes, triggers and recorded migrations with those of a new store.
    ///
    /// The declared tables are created as temporary ones for the comparison and rolled back. That needs the right to
    /// create temporary tables, which users have unless it was revoked.
    public func schemaFaults(of schema: StoreSchema) async throws(StoreError) -> [SchemaFault] {
        try await lists.run { connection in
            let recorded = Set(try connection.all(.recordedMigrations) { row in try row.next(String.self) })
            let own = try connection.all(.schemaObjects) { row in try SchemaObject(from: &row) }
            let declared = try connection.declaredObjects(of: schema)
            return own.filter { $0.name != "tenure_migrations" && $0.table != "tenure_migrations" }.faults(
                against: declared, recorded: recorded, of: schema)
        }
    }
}

extension Connection {
    fileprivate func declaredObjects(of schema: StoreSchema) throws(StoreError) -> [SchemaObject] {
        try run(.begin)
        do {
            try execute(.useTemporarySchema)
            try execute(SQL(text: SQLDialect.postgres.migrating(schema.baseline), isKept: false))
            let declared = try all(.schemaObjects) { row in try SchemaObject(from: &row) }
            try run(.rollback)
            return declared
        } catch {
            if !isLost { _ = try? run(.rollback) }
            throw error
        }
    }
}

extension SchemaObject {
    fileprivate init(from row: inout RowCursor) throws {
        let (kind, name) = (try row.next(String.self), try row.next(String.self))
        self.init(kind, name, of: try row.next(), try row.next())
    }
}

extension SQL {
    fileprivate static let recordedMigrations = SQL("SELECT id FROM tenure_migrations")
    fileprivate static let useTemporarySchema = SQL("SET LOCAL search_path TO pg_temp")
    /// The objects of the first schema in the search path, without those of extensions.
    ///
    /// Definitions contain the schema's name. It's removed, because the store's schema is compared with a temporary one
    /// of another name.
    fileprivate static let schemaObjects = SQL(
        """
        WITH here AS (
            SELECT c.oid, c.relname::text AS name, c.relkind FROM pg_class c
            WHERE c.relnamespace = (
                    SELECT CASE WHEN current_setting('search_path') = 'pg_temp' THEN pg_my_temp_schema()
                        ELSE current_schema()::regnamespace::oid END)
                AND c.relkind IN ('r', 'p', 'v', 'm')
                AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
        )
        SELECT CASE WHEN relkind IN ('v', 'm') THEN 'view' ELSE 'table' END, name, name, '' FROM here
        UNION ALL
        SELECT 'index', i.relname::text, here.name,
            regexp_replace(pg_get_indexdef(x.indexrelid), ' ON (ONLY )?\\S+ USING ', ' USING ')
        FROM here JOIN pg_index x ON x.indrelid = here.oid JOIN pg_class i ON i.oid = x.indexrelid
        UNION ALL
        SELECT 'trigger', t.tgname::text, here.name, '' FROM here JOIN pg_trigger t ON t.tgrelid = here.oid
        WHERE NOT t.tgisinternal
        UNION ALL
        SELECT 'constraint', k.conname::text, here.name,
            regexp_replace(pg_get_constraintdef(k.oid), ' REFERENCES \\S+\\.', ' REFERENCES ')
        FROM here JOIN pg_constraint k ON k.conrelid = here.oid WHERE k.contype IN ('f', 'c')
        UNION ALL
        SELECT 'column', here.name || '.' || a.attname, here.name,
            format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
        FROM here JOIN pg_attribute a ON a.attrelid = here.oid
        WHERE a.attnum > 0 AND NOT a.attisdropped AND here.relkind IN ('r', 'p')
        """)
}
