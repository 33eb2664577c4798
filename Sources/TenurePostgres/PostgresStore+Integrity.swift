public import TenureStore

extension PostgresStore {
    /// Looks for what constraints do not forbid; pages and indexes are the database's own affair (`pg_amcheck`).
    public func integrityFaults() async throws(StoreError) -> [String] {
        try await readers.read { connection throws(StoreError) in
            let answers = try connection.readConsistently([Statement(.strayEvents), Statement(.invalidIndexes)])
            let events = try answers[0].all { row in
                "events: number \(row.integer(0)) names a license that is not there"
            }
            return try events + answers[1].all { row in "index \(row.text(0)) is not valid; REINDEX it" }
        }
    }

    /// Fails: a file is another engine's; `tenure backup` copies a ``snapshot()`` into one.
    public func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        throw StoreError(
            .failed,
            "A store on PostgreSQL writes no file by itself; `tenure backup` copies it into one. Nothing was written.")
    }
}

extension SQL {
    fileprivate static let strayEvents = SQL(
        """
        SELECT sequence FROM events e
        WHERE license_id >= 0 AND NOT EXISTS (SELECT 1 FROM licenses l WHERE l.id = e.license_id)
            AND NOT EXISTS (SELECT 1 FROM app_licenses l WHERE l.id = e.license_id) LIMIT 100
        """)
    fileprivate static let invalidIndexes = SQL(
        """
        SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid
        """)
}
