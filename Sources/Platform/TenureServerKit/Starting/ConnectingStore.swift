import Synchronization
public import TenureStore

/// A substitute for a store that is unavailable when the server starts.
///
/// Until ``connect(to:)`` is called, every call throws the error that was passed at creation.
public final class ConnectingStore: Store {
    private let reason: StoreError
    private let store = Mutex<(any Store)?>(nil)

    /// Creates a substitute that isn't connected yet.
    ///
    /// - Parameter reason: The error that calls throw until the store is connected.
    public init(waitingFor reason: StoreError) { self.reason = reason }

    /// Forwards all further calls to a store.
    public func connect(to connected: any Store) { store.withLock { $0 = connected } }

    private var connected: any Store {
        get throws(StoreError) {
            guard let store = store.withLock({ $0 }) else { throw reason }
            return store
        }
    }

    /// Runs a transaction.
    public func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        try await connected.perform(change)
    }

    /// Runs the queries of a plan.
    public func fetch(_ bound: BoundQuery) async throws(StoreError) -> QueryResult { try await connected.fetch(bound) }

    /// Lists a page of rows.
    public func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        try await connected.rows(listing)
    }

    /// Runs a named query.
    public func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await connected.answers(view, list)
    }

    /// Raises the values of many rows, each to its new value.
    public func note(_ note: LossyUpdate) async throws(StoreError) { try await connected.note(note) }

    /// Opens a snapshot.
    public func snapshot() async throws(StoreError) -> any StoreSnapshot { try await connected.snapshot() }

    /// Saves rows from another store unchanged.
    public func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try await connected.adopt(rows, of: table)
    }

    /// Copies the store into a file.
    public func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        try await connected.backup(to: path, progress: progress)
    }

    /// Checks the integrity of the store, or of one of its tables.
    public func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] {
        try await connected.integrityFaults(of: table)
    }

    /// Compares the store's schema with a declared one.
    public func schemaFaults(of schema: StoreSchema) async throws(StoreError) -> [SchemaFault] {
        try await connected.schemaFaults(of: schema)
    }

    /// The database host's clock in POSIX seconds; `nil` for a local store.
    public func time() async throws(StoreError) -> Int64? { try await connected.time() }

    /// The term in which this server has a role; `nil` if this server doesn't have the role, or if the store isn't
    /// connected.
    public func lead(_ role: Role) async -> LeaderTerm? {
        guard let store = store.withLock({ $0 }) else { return nil }
        return await store.lead(role)
    }

    /// Closes the store if it's connected.
    public func close() async { await store.withLock({ $0 })?.close() }
}
