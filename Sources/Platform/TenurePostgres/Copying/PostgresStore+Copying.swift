public import TenureStore

extension PostgresStore {
    /// Opens a snapshot: a read-only transaction on its own connection.
    ///
    /// While it is open, the database keeps the row versions that others replace. If the connection is lost, so is the
    /// snapshot.
    public func snapshot() async throws(StoreError) -> any StoreSnapshot {
        // Fails if the store has been closed.
        try await lists.run { connection in _ = try connection.run(.ping) }
        let copier = try ConnectionPool(database, .copying, threads: 1)
        do {
            try await copier.run { connection in
                // The transaction's snapshot is taken at its first query, not at its beginning.
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

    /// Saves rows from another store unchanged, in one transaction and one round trip.
    public func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try await adopting.run { connection in try connection.adopt(rows, of: table) }
    }

    /// Always throws, because PostgreSQL can't write the file; `tenure backup` copies a ``snapshot()`` into one.
    public func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        throw StoreError(
            .failed,
            "A PostgreSQL store can't write a backup file itself. Nothing was written. Use `tenure backup`.")
    }
}

extension SQL {
    /// The statement that disables the idle timeout of a snapshot's transaction, because the store that the rows are
    /// copied to may save slowly.
    fileprivate static let waitForReader = SQL("SET LOCAL idle_in_transaction_session_timeout = 0")
}
