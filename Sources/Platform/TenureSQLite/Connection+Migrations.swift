import TenureStore

extension Connection {
    /// The contents of a database file.
    enum Contents {
        case nothing
        /// A Tenure database with these migrations applied.
        case tenure(applied: Set<String>)
    }

    /// Inspects a database without changing it; throws if it belongs to another program or a newer version.
    func contents(path: String, under schema: StoreSchema) throws(StoreError) -> Contents {
        // A single statement reads both numbers from one snapshot, because another process may be creating the
        // database.
        let found = try once(SQL.identity.text) { row in (try row.next(Int64.self), try row.next(Int64.self)) }
        let (application, tables) = found.first ?? (0, 0)
        if application == 0, tables == 0 { return .nothing }
        guard application == Self.applicationID else {
            throw StoreError(
                .foreign, "\(path) is a database of another program and was not changed. Choose another file.")
        }
        let applied = Set(try once(SQL.appliedMigrations.text) { row in try row.next(String.self) })
        let unknown = applied.subtracting(schema.identifiers)
        if !unknown.isEmpty {
            throw StoreError(
                .newerSchema,
                "\(path) was created by a newer version of Tenure (it has \(unknown.sorted().joined(separator: ", "))). "
                    + "Run that version, or restore a backup from this version.")
        }
        return .tenure(applied: applied)
    }

    /// Creates the tables in an empty database, or applies the migrations that a database lacks.
    ///
    /// Each step has its own transaction and checks again which migrations are missing, so two processes may migrate at
    /// once.
    package func migrate(path: String, to schema: StoreSchema) throws(StoreError) {
        try transaction {
            guard case .nothing = try contents(path: path, under: schema) else { return }
            try execute(SQL.ledger.text)
            try apply(schema.baseline, recording: schema.identifiers)
        }
        for migration in schema.migrations {
            try transaction {
                guard case .tenure(let applied) = try contents(path: path, under: schema),
                    !applied.contains(migration.id)
                else { return }
                try apply(migration, recording: [migration.id])
            }
        }
    }

    private func apply(_ migration: Migration, recording identifiers: [String]) throws(StoreError) {
        try execute(SQLDialect.sqlite.migrating(migration))
        for id in identifiers { _ = try once(SQL.recordMigration.text, [.text(id)]) { _ in } }
    }

    /// Reads from the file, so that the transaction takes its snapshot now and not at a later read.
    func fixView() throws(StoreError) { _ = try number(.tableCount) }

    private func number(_ sql: SQL) throws(StoreError) -> Int64 {
        try once(sql.text) { row in try row.next(Int64.self) }.first ?? 0
    }

    /// "TNUR", which identifies a file as Tenure's.
    static let applicationID: Int64 = 0x544E_5552
}

extension SQL {
    fileprivate static let identity = SQL(
        "SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id")
    fileprivate static let tableCount = SQL("SELECT count(*) FROM sqlite_schema")
    fileprivate static let appliedMigrations = SQL("SELECT id FROM migrations")
    fileprivate static let recordMigration = SQL("INSERT INTO migrations VALUES (?1, unixepoch())")
    fileprivate static let ledger = SQL(
        """
        PRAGMA application_id = 0x544E5552;
        CREATE TABLE migrations (
            id TEXT NOT NULL PRIMARY KEY,
            applied_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)
}
