import TenureSQL
public import TenureStore
import TenureThreads

/// Keeps the store's promises in one SQLite file: changes on one thread, many to a commit; reads in place, on the
/// thread that asks.
///
/// Several processes may have the same file open: a server and the command line beside it.
/// See `Documentation/storage.md` for the tables and for what is durable when.
public final class SQLiteStore: Store {
    let readers: Readers
    /// Where the file is; nil for a database in memory.
    let path: String?
    /// The writer's connection; in memory it serves the reads as well.
    let connection: Monitor<Connection?>
    private let writer: Writer

    init(path: String?, connection: Monitor<Connection?>, readers: Readers, writer: Writer) {
        self.path = path
        self.connection = connection
        self.readers = readers
        self.writer = writer
    }

    /// Carries out one change, with others that wait in one transaction, and waits for the disk.
    public func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        try await writer.perform(change)
    }

    /// Reads what a form asks for, in place.
    public func look(_ asked: Asked) async throws(StoreError) -> Seen {
        try readers.read { connection throws(StoreError) in try connection.seen(asked) }
    }

    /// Lists a page.
    public func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        try readers.read { connection throws(StoreError) in try connection.rows(listing) }
    }

    /// Asks a written query.
    public func answers(_ view: ViewShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try readers.read { connection throws(StoreError) in try connection.answers(view, list) }
    }

    /// Raises a column of many rows, when no change waits.
    public func note(_ note: Note) async throws(StoreError) { try await writer.write(note) }

    /// Saves rows of another store in one transaction, and waits for the disk.
    public func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try connection.lend { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in try connection.adopt(rows, of: table) }
        }
    }

    /// Always: the folder's lock lets only one server run on a file.
    public func lead(_ role: Role) async -> Bool { true }

    /// Waits for changes under way, then lets go of the file.
    public func close() async {
        await writer.stop()
        readers.close()
        connection.withLock { connection in connection = nil }
    }
}
