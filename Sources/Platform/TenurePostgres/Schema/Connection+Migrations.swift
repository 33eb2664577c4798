import TenureStore

extension Connection {
    /// Creates the tables in an empty database, or applies the migrations that a database lacks.
    ///
    /// Each step has its own transaction, while other servers wait.
    ///
    /// - Parameter creating: Whether to create the tables in a database without any; otherwise it throws `.missing`.
    func migrate(to schema: StoreSchema, creating: Bool, position: String) throws(StoreError) {
        try alone {
            guard try applied(under: schema, position: position) == nil else { return }
            guard creating else {
                throw StoreError(
                    .missing, "\(position) is not initialized for Tenure. Run `tenure init` with the same store first.")
            }
            try refuseForeignTables(among: schema, position: position)
            try execute(.ledger)
            try apply(schema.baseline, recording: schema.identifiers)
        }
        for migration in schema.migrations {
            try alone {
                if try applied(under: schema, position: position)?.contains(migration.id) == true { return }
                try apply(migration, recording: [migration.id])
            }
        }
    }

    /// Runs the body in a transaction while no other server migrates.
    private func alone(_ body: () throws -> Void) throws(StoreError) {
        try run(.begin)
        do {
            try run(.lockMigrations)
            try storeErrors(body)
            try run(.commit)
        } catch {
            if !isLost { _ = try? run(.rollback) }
            throw error
        }
    }

    private func apply(_ migration: Migration, recording identifiers: [String]) throws(StoreError) {
        try execute(SQL(text: SQLDialect.postgres.migrating(migration), isKept: false))
        for id in identifiers { try run(.recordMigration, [.text(id)]) }
    }

    /// The applied migrations; `nil` if the database holds nothing of Tenure.
    private func applied(under schema: StoreSchema, position: String) throws(StoreError) -> Set<String>? {
        guard try run(.ledgerExists).first({ row in try row.next(Bool.self) }) == true else {
            return nil
        }
        let applied = Set(try run(.appliedMigrations).all { row in try row.next(String.self) })
        try refuse(applied, newerThan: schema, position: position)
        return applied
    }

    private func refuseForeignTables(among schema: StoreSchema, position: String) throws(StoreError) {
        guard
            let foreign = try run(.foreignTable(among: schema)).first({ row in
                try row.next(String.self)
            })
        else { return }
        throw StoreError(
            .foreign,
            "\(position) contains a table `\(foreign)` of another program and was not changed. Choose another database or "
                + "schema.")
    }

    private func refuse(_ applied: Set<String>, newerThan schema: StoreSchema, position: String) throws(StoreError) {
        let unknown = applied.subtracting(schema.identifiers)
        if unknown.isEmpty { return }
        throw StoreError(
            .newerSchema,
            "\(position) was created by a newer version of Tenure (it has \(unknown.sorted().joined(separator: ", "))). "
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
