import TenureStore

extension Connection {
    /// Creates the tables in an empty database, or applies the migrations that a database lacks.
    ///
    /// Each step has its own transaction, while other servers wait.
    ///
    /// - Parameter creating: Whether to create the tables in a database without any; otherwise it throws `.missing`.
    func migrate(to schema: StoreSchema, creating: Bool, position: String) throws(StoreError) {
        try alone(at: position) {
            guard try applied(under: schema, position: position) == nil else { return }
            guard creating else {
                throw StoreError(
                    .missing, "\(position) is not initialized for Tenure. Run `tenure init` with the same store first.")
            }
            try refuseForeignTables(among: schema, position: position)
            try execute(.ledger)
            try apply(schema.baseline, recording: schema.identifiers, position: position)
        }
        for migration in schema.migrations {
            try alone(at: position) {
                if try applied(under: schema, position: position)?.contains(migration.id) == true { return }
                try apply(migration, recording: [migration.id], position: position)
            }
        }
    }

    /// Checks that a database that is only read has the tables of this version.
    func checkSchema(_ schema: StoreSchema, position: String) throws(StoreError) {
        guard let applied = try applied(under: schema, position: position) else {
            throw StoreError(.missing, "\(position) is not a store of Tenure.")
        }
        guard applied.isSuperset(of: schema.identifiers) else {
            throw StoreError(
                .failed,
                "\(position) has the tables of an older version, and is only read. Let `tenure doctor` of this version run "
                    + "on a copy of it, and name the copy.")
        }
    }

    /// Runs the body in a transaction while no other server migrates.
    private func alone(at position: String, _ body: () throws -> Void) throws(StoreError) {
        try run(.begin)
        do {
            try lockMigrations(at: position)
            try storeErrors(body)
            try run(.commit)
        } catch {
            if !isLost { _ = try? run(.rollback) }
            throw error
        }
    }

    private func lockMigrations(at position: String) throws(StoreError) {
        do {
            try run(.lockMigrations)
        } catch {
            throw error.code == .busy ? .migrating(position, cause: error.cause) : error
        }
    }

    /// Applies a migration, which may take as long as it needs; only a wait for another session's lock is limited.
    private func apply(
        _ migration: Migration, recording identifiers: [String], position: String
    ) throws(StoreError) {
        try run(.withoutLimit)
        do {
            try execute(SQL(text: SQLDialect.postgres.migrating(migration), isKept: false))
        } catch {
            throw error.code == .busy ? .inUse(position, cause: error.cause) : error
        }
        for id in identifiers { try run(.recordMigration, [.text(id)]) }
    }

    /// The applied migrations; `nil` if the database has none of Tenure's tables.
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

extension StoreError {
    /// An error for a migration by another server or command that takes longer than the lock timeout.
    fileprivate static func migrating(_ position: String, cause: String?) -> StoreError {
        StoreError(
            .busy,
            "\(position) is being migrated by another server or command, which hasn't finished. Try again once "
                + "it has.", cause: cause)
    }

    /// An error for a migration that can't change a table because another session uses the table.
    fileprivate static func inUse(_ position: String, cause: String?) -> StoreError {
        StoreError(
            .busy,
            "\(position) can't be migrated, because another session has locked one of its tables for too long. Look for "
                + "it in pg_stat_activity, end it, and try again.", cause: cause)
    }
}

extension SQL {
    fileprivate static let withoutLimit = SQL("SET LOCAL statement_timeout = 0")
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
