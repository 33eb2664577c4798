import CSQLite
public import TenureStore
import TenureThreads

extension SQLiteStore {
    /// Opens a snapshot: a read transaction on a file, or a copy of an in-memory database.
    ///
    /// While the snapshot of a file is open, the write-ahead log grows as others write and can't be checkpointed.
    public func snapshot() async throws(StoreError) -> any StoreSnapshot {
        let pool = try CopyWorker()
        return SQLiteSnapshot(on: try await pool.run { [self] in try hold() }, in: pool)
    }

    private func hold() throws(StoreError) -> Connection {
        let reading: Connection
        if let path {
            // Fails if the store has been closed.
            try connection.lend { _ in }
            reading = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
            try reading.execute(SQL.setUpReader.text)
            try reading.run(.begin)
            try reading.fixView()
        } else {
            reading = try Connection(path: ":memory:", flags: SQLITE_OPEN_READWRITE)
            try connection.lend { source in
                let copying = try Copying(from: source, to: reading)
                while try copying.step() < 1 {}
            }
        }
        return reading
    }
}

/// A snapshot: a read transaction on its own connection.
final class SQLiteSnapshot: StoreSnapshot {
    private let connection: Monitor<Connection?>
    private let pool: CopyWorker

    /// Creates a snapshot from a connection with an open transaction that only the snapshot uses, and a thread to read
    /// on.
    init(on connection: Connection, in pool: CopyWorker) {
        self.connection = Monitor(connection)
        self.pool = pool
    }

    func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        try await read { connection in try connection.rows(listing) }
    }

    func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await read { connection in try connection.answers(view, list) }
    }

    func count(of table: TableShape) async throws(StoreError) -> Int {
        try await read { connection in try connection.count(of: table) }
    }

    func end() async {
        connection.withLock { connection in connection = nil }
        await pool.stop()
    }

    private func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws(StoreError) -> Result {
        try await pool.run { [connection] in try connection.lend(body) }
    }
}
