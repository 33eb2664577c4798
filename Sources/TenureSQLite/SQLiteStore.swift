import Synchronization
import TenureSQL
public import TenureStore
import TenureThreads

/// Keeps the store's promises in one SQLite file: changes on one thread, many to a commit; looks in place, on the thread
/// that asks; lists and all else that takes longer in a lane of their own.
///
/// Several processes may have the same file open: a server and the command line beside it.
/// See `Documentation/storage.md` for the tables and for what is durable when.
public final class SQLiteStore: Store {
    /// For few rows by keys and sets.
    let looks: Looks
    /// For all other reading.
    let lists: Lists
    /// Where the file is; nil for a database in memory.
    let path: String?
    /// The writer's connection; in memory it serves the reads as well.
    let connection: Monitor<Connection?>
    private let readers: Readers
    private let writer: Writer
    private let terms = Mutex<[Role: LeaderTerm]>([:])

    /// Starts the threads for a database that is open and in order.
    /// - Parameter path: Nil for a database in memory.
    init(path: String?, connection: Connection) throws(StoreError) {
        let connection = Monitor<Connection?>(connection)
        let source = path.map { path in ReadSource.file(path: path) } ?? .shared(connection)
        let readers = try Readers(source, mostIdle: DatabaseFile.processors + 2)
        self.path = path
        self.connection = connection
        self.readers = readers
        looks = try Looks(readers, threads: max(2, DatabaseFile.processors))
        lists = try Lists(source, threads: 2)
        writer = try Writer(connection, log: path.map { _ in LogKeeper(connection: connection, readers: readers) })
    }

    /// Carries out one change, with others that wait in one transaction, and waits for the disk.
    public func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        try await writer.perform(change)
    }

    /// Reads what a form asks for, in place while its pages are in memory.
    public func look(_ asked: Asked) async throws(StoreError) -> Seen {
        if asked.form.isList {
            return try await lists.run { connection throws(StoreError) in try connection.seen(asked) }
        }
        return try await looks.run { connection throws(StoreError) in try connection.seen(asked) }
    }

    /// Lists a page.
    public func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        try await lists.run { connection throws(StoreError) in try connection.rows(listing) }
    }

    /// Asks a written query.
    public func answers(_ view: ViewShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await lists.run { connection throws(StoreError) in try connection.answers(view, list) }
    }

    /// Raises a column of many rows, when no change waits.
    public func note(_ note: Note) async throws(StoreError) { try await writer.write(note) }

    /// Saves rows of another store in one transaction, and waits for the disk.
    public func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try connection.lend { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in try connection.adopt(rows, of: table) }
        }
    }

    /// Always a term, one more than the last server's: the folder's lock lets only one server run on a file.
    public func lead(_ role: Role) async -> LeaderTerm? {
        if let term = terms.withLock({ $0[role] }) { return term }
        guard let term = try? await perform(LeaderTerm.next(in: role)) else { return nil }
        terms.withLock { $0[role] = term }
        return term
    }

    /// Waits for changes under way, then lets go of the file.
    public func close() async {
        await writer.stop()
        await looks.stop()
        await lists.stop()
        readers.close()
        connection.withLock { connection in connection = nil }
    }
}
