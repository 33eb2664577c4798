import Synchronization
public import TenureStore

/// A store that is unavailable when the server starts.
///
/// Every call fails with `.unavailable` until ``connect(to:)``.
public final class ConnectingStore: Store {
    private let reason: StoreError
    private let store = Mutex<(any Store)?>(nil)

    /// Creates a store that isn't connected.
    ///
    /// - Parameter reason: The error that calls throw until then.
    public init(waitingFor reason: StoreError) { self.reason = reason }

    /// Forwards all calls to a store from now on.
    public func connect(to connected: any Store) { store.withLock { $0 = connected } }

    private var connected: any Store {
        get throws(StoreError) {
            guard let store = store.withLock({ $0 }) else { throw reason }
            return store
        }
    }

    /// Runs a change.
    public func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        try await connected.perform(change)
    }

    /// Runs the queries of a form.
    public func fetch(_ bound: BoundQuery) async throws(StoreError) -> QueryResult { try await connected.fetch(bound) }

    /// Lists a page of rows.
    public func rows(_ section: ListingShape) async throws(StoreError) -> [StoredRow] {
        try await connected.rows(section)
    }

    /// Runs a named query.
    public func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await connected.answers(view, list)
    }

    /// Raises a column of many rows.
    public func note(_ note: LossyUpdate) async throws(StoreError) { try await connected.note(note) }

    /// Takes a snapshot.
    public func snapshot() async throws(StoreError) -> any StoreSnapshot { try await connected.snapshot() }

    /// Saves rows of another store.
    public func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try await connected.adopt(rows, of: table)
    }

    /// Copies the store into a file.
    public func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        try await connected.backup(to: path, progress: progress)
    }

    /// Checks the store's integrity.
    public func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] {
        try await connected.integrityFaults(of: table)
    }

    /// The store's clock.
    public func time() async throws(StoreError) -> Int64? { try await connected.time() }

    /// The term in which this server leads; `nil` while the store is unavailable.
    public func lead(_ role: Role) async -> LeaderTerm? {
        guard let store = store.withLock({ $0 }) else { return nil }
        return await store.lead(role)
    }

    /// Closes the store, if it is connected.
    public func close() async { await store.withLock({ $0 })?.close() }
}
