public import TenureStore

extension PostgresStore {
    /// Takes hold of this moment: a transaction of its own, which reads only.
    ///
    /// While it is held, the database keeps what others replace; when its connection is lost, the moment is.
    public func snapshot() async throws(StoreError) -> any StoreSnapshot {
        // A store that has been closed has no more moments.
        _ = try await catalogVersion()
        let copier = try Readers(address, .copying, threads: 1)
        do {
            try await copier.read { connection throws(StoreError) in
                // The transaction sees the state at its first query, not at its beginning.
                _ = try connection.roundTrip([
                    Statement(.beginReading), Statement(.waitForReader), Statement(.catalogVersion),
                ])
                connection.holdsSnapshot = true
            }
        } catch {
            await copier.stop()
            throw error
        }
        return PostgresSnapshot(on: copier)
    }
}

extension SQL {
    /// The pages are read as fast as another store saves them.
    fileprivate static let waitForReader = SQL("SET LOCAL idle_in_transaction_session_timeout = 0")
}
