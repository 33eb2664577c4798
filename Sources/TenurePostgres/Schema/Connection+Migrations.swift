import TenureSQL
import TenureStore

extension Connection {
    /// Applies what is missing, each migration in a transaction of its own, while no other server does.
    /// - Parameter creating: Whether a database that holds nothing of Tenure is begun, or refused with `.missing`.
    func migrate(creating: Bool, place: String) throws(StoreError) {
        for migration in Self.migrations {
            try run(.begin)
            do {
                try run(.lockMigrations)
                try apply(migration, creating: creating, place: place)
                try run(.commit)
            } catch {
                if !isLost { _ = try? run(.rollback) }
                throw error
            }
        }
    }

    private static let migrations: [(id: String, statements: SQL)] =
        MigrationID.allCases.map { ($0.rawValue, $0.statements) }
        + SQLDialect.postgres.migrations.map { ($0.id, SQL(text: $0.text, isKept: false)) }

    private func apply(_ migration: (id: String, statements: SQL), creating: Bool, place: String) throws(StoreError) {
        if try run(.ledgerExists).first({ row throws(StoreError) in try row.next(Bool.self) }) == true {
            let applied = Set(try run(.appliedMigrations).all { row throws(StoreError) in try row.next(String.self) })
            try refuseNewer(applied, place: place)
            if applied.contains(migration.id) { return }
        } else {
            guard creating else {
                throw StoreError(
                    .missing, "\(place) holds nothing of Tenure yet; run `tenure init` with the same store first.")
            }
            if let foreign = try run(.foreignTable).first({ row throws(StoreError) in try row.next(String.self) }) {
                throw StoreError(
                    .foreign,
                    "\(place) holds a table `\(foreign)` of another program; name another database or schema. It was not "
                        + "touched.")
            }
            try execute(.ledger)
        }
        try execute(migration.statements)
        try run(.recordMigration, [.text(migration.id)])
    }

    private func refuseNewer(_ applied: Set<String>, place: String) throws(StoreError) {
        let unknown = applied.subtracting(DeclaredTables.schema)
        if unknown.isEmpty { return }
        throw StoreError(
            .newerSchema,
            "\(place) was made by a newer version of Tenure (it has \(unknown.sorted().joined(separator: ", "))); "
                + "run that version on every server.")
    }
}

extension SQL {
    fileprivate static let lockMigrations = SQL("SELECT pg_advisory_xact_lock(", AdvisoryLock.space, ", 1)")
    fileprivate static let ledgerExists = SQL("SELECT to_regclass('tenure_migrations') IS NOT NULL")
    fileprivate static let foreignTable = SQL(
        text: """
            SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname IN
                ('\(DeclaredTables.all.map(\.name).joined(separator: "', '"))') LIMIT 1
            """, isKept: false)
    fileprivate static let appliedMigrations = SQL("SELECT id FROM tenure_migrations")
    fileprivate static let recordMigration = SQL(
        "INSERT INTO tenure_migrations VALUES ($1, extract(epoch FROM now())::bigint)")
    fileprivate static let ledger = SQL(
        "CREATE TABLE tenure_migrations (id text COLLATE \"C\" PRIMARY KEY, applied_at bigint NOT NULL)")
}
