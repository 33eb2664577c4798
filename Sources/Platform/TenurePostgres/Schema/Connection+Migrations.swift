import TenureStore

extension Connection {
    /// Applies the missing migrations, each in its own transaction, while other servers wait.
    /// - Parameter creating: Whether to create the tables in a database without any; otherwise it throws `.missing`.
    func migrate(to schema: StoreSchema, creating: Bool, place: String) throws(StoreError) {
        let frozen = MigrationID.allCases.map { (id: $0.rawValue, statements: $0.statements) }
        let later = SQLDialect.postgres.migrations(of: schema).map {
            (id: $0.id, statements: SQL(text: $0.text, isKept: false))
        }
        for migration in frozen + later {
            try run(.begin)
            do {
                try run(.lockMigrations)
                try apply(migration, of: schema, creating: creating, place: place)
                try run(.commit)
            } catch {
                if !isLost { _ = try? run(.rollback) }
                throw error
            }
        }
    }

    private func apply(
        _ migration: (id: String, statements: SQL), of schema: StoreSchema, creating: Bool, place: String
    ) throws(StoreError) {
        if try run(.ledgerExists).first({ row throws(StoreError) in try row.next(Bool.self) }) == true {
            let applied = Set(try run(.appliedMigrations).all { row throws(StoreError) in try row.next(String.self) })
            try refuse(applied, newerThan: schema, place: place)
            if applied.contains(migration.id) { return }
        } else {
            guard creating else {
                throw StoreError(
                    .missing, "\(place) is not initialized for Tenure. Run `tenure init` with the same store first.")
            }
            if let foreign = try run(.foreignTable(among: schema)).first({ row throws(StoreError) in
                try row.next(String.self)
            }) {
                throw StoreError(
                    .foreign,
                    "\(place) contains a table `\(foreign)` of another program and was not changed. Choose another database or "
                        + "schema.")
            }
            try execute(.ledger)
        }
        try execute(migration.statements)
        try run(.recordMigration, [.text(migration.id)])
    }

    private func refuse(_ applied: Set<String>, newerThan schema: StoreSchema, place: String) throws(StoreError) {
        let unknown = applied.subtracting(schema.identifiers)
        if unknown.isEmpty { return }
        throw StoreError(
            .newerSchema,
            "\(place) was created by a newer version of Tenure (it has \(unknown.sorted().joined(separator: ", "))). "
                + "Run that version on every server.")
    }
}

extension SQL {
    fileprivate static let lockMigrations = SQL("SELECT pg_advisory_xact_lock(", AdvisoryLock.space, ", 1)")
    fileprivate static let ledgerExists = SQL("SELECT to_regclass('tenure_migrations') IS NOT NULL")
    fileprivate static func foreignTable(among schema: StoreSchema) -> SQL {
        SQL(
            text: """
                SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname IN
                    ('\(schema.tables.map(\.name).joined(separator: "', '"))') LIMIT 1
                """, isKept: false)
    }
    fileprivate static let appliedMigrations = SQL("SELECT id FROM tenure_migrations")
    fileprivate static let recordMigration = SQL(
        "INSERT INTO tenure_migrations VALUES ($1, extract(epoch FROM now())::bigint)")
    fileprivate static let ledger = SQL(
        "CREATE TABLE tenure_migrations (id text COLLATE \"C\" PRIMARY KEY, applied_at bigint NOT NULL)")
}
