/// Stores the rows of declared tables; engines implement it without knowing the record types.
///
/// `StoreContract` in `TenureTesting` checks the guarantees of every engine:
/// - A change, with its events, is either durable (synced to disk) before ``perform(_:)`` returns, or didn't happen.
///   Only a lossy change (``Transaction/isLossy``) may return before it's synced.
/// - Changes are serialized: a decision sees everything saved before it and nothing else. If several servers share a
///   store, this holds for rows found by a key and for rows that belong to them. It also holds for changes that take
///   the same ``QueryLock``. An insert is decided again if another server has taken its key in the meantime.
/// - Rows of an append-only table have ever-increasing numbers. A reader that requests the rows after the last number
///   that it has read misses none.
///
/// Every function throws ``StoreError``. After `.busy` and `.unavailable`, the caller may try again. Nothing was
/// changed, except that the outcome is unknown if the connection was lost during a commit.
public protocol Store: RecordStore where Failure == StoreError {
    /// Runs the queries of a plan on the calling thread; `nil` if the calling thread would have to wait. Then use
    /// ``fetch(_:)``.
    func fetchInPlace(_ bound: BoundQuery) throws(StoreError) -> QueryResult?

    /// Opens a snapshot that can be read page by page while others keep writing.
    func snapshot() async throws(StoreError) -> any StoreSnapshot

    /// Saves rows from another store unchanged, including their numbers.
    ///
    /// Use it on a store that has no other users yet, and save referenced tables first. Either all rows are saved and
    /// durable when this returns, or none are. A row that already exists under the same primary key is overwritten,
    /// except in an append-only table. Saving the rows again changes nothing. Rows that are appended later get higher
    /// numbers. Fails with `.taken` if another row has the values of a unique key.
    func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError)

    /// Copies the whole store into one new file while others keep reading and writing.
    ///
    /// The file appears under its name once it's complete and synced to disk. An existing file is never overwritten
    /// (`.exists`).
    /// - Parameter progress: Called from time to time with the fraction done, 0...1.
    func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError)

    /// Checks the integrity of the store, or of one of its tables, and returns the faults it finds.
    ///
    /// It reads all the data and checks pages, indexes against their tables, constraints and references.
    func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String]

    /// Compares the store's tables, keys, indexes, triggers and recorded migrations with a schema.
    ///
    /// Returns each missing, changed or undeclared object. Objects of other programs in the same database are
    /// undeclared, too; those of PostgreSQL's extensions are ignored.
    func schemaFaults(of schema: StoreSchema) async throws(StoreError) -> [SchemaFault]

    /// The database host's clock in POSIX seconds; `nil` for a local store.
    func time() async throws(StoreError) -> Int64?

    /// The term in which this server currently leads in a role; `nil` if another server leads or the store can't be
    /// reached.
    ///
    /// Ask before each piece of work. At most one server on a store holds a term at a time. If it dies, another server
    /// that keeps asking gets the next term within ten seconds. A leader may lose the lead in the middle of its work,
    /// so its changes must check the term (``LeaderTerm``).
    func lead(_ role: Role) async -> LeaderTerm?

    /// Waits for running changes, then releases all resources; the store must not be used afterwards.
    func close() async
}

extension Store {
    /// Always `nil`, for engines that read on another thread or host.
    public func fetchInPlace(_ bound: BoundQuery) throws(StoreError) -> QueryResult? { nil }
}

/// Reads and changes the rows of declared tables; features add the functions for their tables in extensions.
///
/// These functions therefore work with a ``Store`` and with a wrapper that throws another error type.
public protocol RecordStore<Failure>: Reading {
    /// Performs one change: loads its rows, runs its decision, saves the result and waits for the disk, unless the
    /// change is lossy.
    ///
    /// An engine may run many changes in one transaction. A change that can't be saved fails alone. It fails with
    /// `.taken` if another row has the values of a key, and with `.inUse` if it deletes a row that others refer to.
    func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(Failure) -> Answer

    /// Runs the queries of a plan, all on the same snapshot; meant for few rows.
    ///
    /// The plan's locks aren't taken.
    func fetch(_ bound: BoundQuery) async throws(Failure) -> QueryResult

    /// Raises the values of many rows, each to its new value. A crash of the host may lose this write, like a lossy
    /// transaction.
    func note(_ note: LossyUpdate) async throws(Failure)
}

/// Page-by-page reads, from the current store or from a snapshot.
public protocol Reading<Failure>: Sendable {
    /// The type of the errors that a failed call throws.
    associatedtype Failure: StoreFailure

    /// Returns a page of untyped rows; ``list(_:)`` returns typed ones.
    func rows(_ listing: ListingShape) async throws(Failure) -> [StoredRow]

    /// Runs a handwritten query; ``view(_:_:)`` returns typed results.
    /// - Parameter list: The query's list, flattened: the values of one row after those of another.
    func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(Failure) -> [any Sendable]
}

extension Reading {
    /// Returns a page of rows.
    public func list<Row>(_ listing: Listing<Row>) async throws(Failure) -> [Row] {
        try await rows(listing.shape).map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
    }

    /// Returns all rows of a set, in its order.
    ///
    /// It reads page by page but holds all rows in memory, so use it only for sets that are known to be small.
    public func all<Row>(
        _ set: RowSet<Row>, _ values: [StoredValue] = [], where filter: [[Comparison]] = []
    ) async throws(Failure) -> [Row] {
        let pageSize = 1_000
        var found: [Row] = []
        var cursor: [StoredValue] = []
        while true {
            let page = try await rows(
                Listing(set, values, where: filter, after: cursor, limit: pageSize).shape)
            found += page.map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
            guard page.count == pageSize, let last = page.last else { return found }
            cursor = set.shape.order.map { set.shape.table.columns[$0.column].value(last) }
        }
    }

    /// Runs a handwritten query.
    public func view<Row>(_ view: NamedQuery<Row>, _ list: [StoredValue] = []) async throws(Failure) -> [Row] {
        try await answers(view.shape, list).compactMap { $0 as? Row }
    }
}

/// A snapshot of a store that later writes don't affect.
///
/// It holds resources of the store, so always call ``end()``. Reads after that throw `.closed`.
public protocol StoreSnapshot: Reading where Failure == StoreError {
    /// Counts the rows of a table; it reads them all, so it takes a while on a large table.
    func count(of table: TableShape) async throws(StoreError) -> Int

    /// Releases the snapshot.
    func end() async
}

extension Reading {
    /// Reads a page of a table for copying: rows in key order, after a given row.
    package func page(
        of table: TableShape, after row: StoredRow?, isBackwards: Bool = false, limit: Int
    ) async throws(Failure) -> [StoredRow] {
        try await rows(ListingShape(copying: table, after: row, isBackwards: isBackwards, limit: limit))
    }
}
