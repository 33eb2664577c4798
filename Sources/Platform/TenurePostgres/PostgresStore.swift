import Synchronization
public import TenureStore

/// A store in one PostgreSQL database, which many servers may share.
///
/// Each server has one thread for changes, with many in a commit, and a few threads each for short queries and for
/// listings. Waiting queries of the same plan share a round trip. Callers wait without blocking a thread. Lost
/// connections are replaced. See `Documentation/storage.md` for the tables and for what is durable when.
public final class PostgresStore: Store {
    /// The threads that run short queries by key or set.
    let queries: ReaderPool
    /// The threads that run listings and handwritten queries, which may take longer.
    let lists: ConnectionPool
    /// The session whose advisory locks show that this server leads.
    let leading: ConnectionPool
    /// The thread that saves rows from another store.
    let adopting: ConnectionPool
    /// The database, for the connections of snapshots.
    let database: Database
    /// The terms in which this server leads.
    let terms = Mutex<[Role: LeaderTerm]>([:])
    private let writer: Writer

    init(
        _ database: Database, queries: ReaderPool, lists: ConnectionPool, leading: ConnectionPool,
        adopting: ConnectionPool,
        writer: Writer
    ) {
        self.database = database
        self.adopting = adopting
        self.queries = queries
        self.lists = lists
        self.leading = leading
        self.writer = writer
    }

    /// Performs one change, in a transaction with others that are waiting, and waits for the disk.
    ///
    /// Across servers, changes are serialized only for the rows that they find by key: these are locked before sets are
    /// read. If the connection is lost during the commit, the error says that the outcome is unknown.
    public func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        try await writer.perform(change)
    }

    /// Raises the values of many rows, each to its new value, when no change is waiting.
    public func note(_ note: LossyUpdate) async throws(StoreError) {
        try await writer.write(note)
    }

    /// Waits for running changes and reads, then closes the connections.
    public func close() async {
        await writer.stop()
        await queries.stop()
        await lists.stop()
        await leading.stop()
        await adopting.stop()
    }
}

extension PostgresStore {
    /// Runs the queries of a plan, in one round trip with other waiting requests for the same plan.
    public func fetch(_ bound: BoundQuery) async throws(StoreError) -> QueryResult {
        guard bound.plan.isList else { return try await queries.run(bound) }
        return try await lists.run { connection in try connection.fetch([bound])[0] }
    }

    /// Reads a page of a listing, on a connection for slow reads.
    public func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        try await lists.run { connection in try connection.rows(listing) }
    }

    /// Runs a handwritten query, on a connection for slow reads.
    public func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await lists.run { connection in try connection.answers(view, list) }
    }
}
