import TenureStore

/// A snapshot: a transaction on its own connection.
final class PostgresSnapshot: StoreSnapshot {
    private let copier: ConnectionPool

    /// Creates a snapshot from a single-threaded pool whose connection has the transaction open.
    init(on copier: ConnectionPool) { self.copier = copier }

    func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        try await read { connection in try connection.rows(listing) }
    }

    func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await read { connection in try connection.answers(view, list) }
    }

    func count(of table: TableShape) async throws(StoreError) -> Int {
        let counting = SQL(text: SQLDialect.postgres.counting(table), isKept: false)
        return try await read { connection in
            try connection.first(counting) { cursor in try cursor.next(Int.self) } ?? 0
        }
    }

    func end() async { await copier.stop() }

    private func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws(StoreError) -> Result {
        try await copier.run { connection in
            guard connection.holdsSnapshot else {
                throw StoreError(
                    .failed, "The connection was lost while a snapshot of the store was read. Start the copy again.")
            }
            return try body(connection)
        }
    }
}
