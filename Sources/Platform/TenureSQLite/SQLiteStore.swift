import Synchronization
public import TenureStore
import TenureThreads

/// A store in one SQLite file.
///
/// Changes run on one thread, with many in a commit. Short queries run on the calling thread; listings and other slow
/// reads have threads of their own. Several processes may open the same file, such as a server and the command line.
/// See `Documentation/storage.md` for the tables and for what is durable when.
public final class SQLiteStore: Store {
    /// Runs short queries by key or set, on the calling thread if possible.
    let queries: ReaderPool
    /// The threads that run all other reads.
    let lists: Lists
    /// The path of the file; `nil` for an in-memory database.
    let path: String?
    /// The writer's connection; an in-memory database also reads on it.
    let connection: Monitor<Connection?>
    private let readers: Readers
    private let writer: Writer
    private let checkpointer: WALCheckpointer?
    private let terms = Mutex<[Role: LeaderTerm]>([:])

    /// Starts the threads for an open and migrated database.
    /// - Parameter path: `nil` for an in-memory database.
    init(path: String?, connection: Connection) throws(StoreError) {
        let connection = Monitor<Connection?>(connection)
        let source = path.map { path in ReadSource.file(path: path) } ?? .shared(connection)
        let readers = try Readers(source, mostIdle: DatabaseFile.processors + 2)
        self.path = path
        self.connection = connection
        self.readers = readers
        // A database in memory never waits for the disk, even if other parts of the process read from it.
        let hasReadDisk: @Sendable () -> Bool = if path == nil { { false } } else { DatabaseFile.hasReadDisk }
        queries = try ReaderPool(readers, threads: max(2, DatabaseFile.processors), hasReadDisk: hasReadDisk)
        lists = try Lists(source, threads: 2)
        checkpointer = try path.map { path throws(StoreError) in
            try WALCheckpointer(path: path, connection: connection, readers: readers)
        }
        writer = try Writer(connection, log: checkpointer)
    }

    /// Performs one change, in a transaction with others that are waiting, and waits for the disk.
    public func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        try await writer.perform(change)
    }

    /// Runs the queries of a plan, on the calling thread while the pages are in memory.
    public func fetch(_ bound: BoundQuery) async throws(StoreError) -> QueryResult {
        if bound.plan.isList {
            return try await lists.run { connection in try connection.results(bound) }
        }
        return try await queries.run { connection in try connection.results(bound) }
    }

    /// Runs the queries of a plan on the calling thread; `nil` if they are slow or their pages aren't in memory.
    public func fetchInPlace(_ bound: BoundQuery) throws(StoreError) -> QueryResult? {
        guard !bound.plan.isList else { return nil }
        return try queries.runInPlace { connection in try connection.results(bound) }
    }

    /// Reads a page of a listing, on a thread for slow reads.
    public func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        try await lists.run { connection in try connection.rows(listing) }
    }

    /// Runs a handwritten query, on a thread for slow reads.
    public func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await lists.run { connection in try connection.answers(view, list) }
    }

    /// Raises the values of many rows, each to its new value, when no change is waiting.
    public func note(_ note: LossyUpdate) async throws(StoreError) { try await writer.write(note) }

    /// Saves rows from another store in one transaction and waits for the disk.
    public func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try connection.lend { connection in
            try connection.transaction { try connection.adopt(rows, of: table) }
        }
    }

    /// Returns the term that this server holds, or a new one that is one higher than the last; only one server uses a
    /// file.
    ///
    /// Returns `nil` only if the term can't be saved.
    public func lead(_ role: Role) async -> LeaderTerm? {
        if let term = terms.withLock({ $0[role] }) { return term }
        guard let term = try? await perform(LeaderTerm.next(in: role)) else { return nil }
        terms.withLock { $0[role] = term }
        return term
    }

    /// Waits for running changes, then closes the file.
    public func close() async {
        await writer.stop()
        await checkpointer?.stop()
        await queries.stop()
        await lists.stop()
        readers.close()
        connection.withLock { connection in connection = nil }
    }
}
