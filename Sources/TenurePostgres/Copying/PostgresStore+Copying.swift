public import TenureStore

extension PostgresStore {
    /// Takes hold of this moment: a transaction of its own, which reads only.
    ///
    /// While it is held, the database keeps what others replace; when its connection is lost, the moment is.
    public func snapshot() async throws(StoreError) -> any StoreSnapshot {
        // A store that has been closed has no more moments.
        try await lists.run { connection throws(StoreError) in _ = try connection.run(.ping) }
        let copier = try SessionLane(address, .copying, threads: 1)
        do {
            try await copier.run { connection throws(StoreError) in
                // The transaction sees the state at its first query, not at its beginning.
                for sql in [SQL.beginReading, .waitForReader, .ping] { connection.outgoing.add(sql) }
                _ = try connection.roundTrip()
                connection.holdsSnapshot = true
            }
        } catch {
            await copier.stop()
            throw error
        }
        return PostgresSnapshot(on: copier)
    }

    /// Saves rows that another store held, as they were, in one transaction and one round trip.
    public func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try await adopting.run { connection throws(StoreError) in try connection.adopt(rows, of: table) }
    }

    /// Fails: a file is another engine's; `tenure backup` copies a ``snapshot()`` into one.
    public func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        throw StoreError(
            .failed,
            "A store on PostgreSQL writes no file by itself; `tenure backup` copies it into one. Nothing was written.")
    }
}

extension SQL {
    /// The pages are read as fast as another store saves them.
    fileprivate static let waitForReader = SQL("SET LOCAL idle_in_transaction_session_timeout = 0")
}
