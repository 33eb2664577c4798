import Synchronization
package import TenureFormats
package import TenureStore

/// Caches the latest catalog and runs transactions with the catalog version that they read.
///
/// Every read or transaction that depends on the catalog also reads its version. If that version is newer than the
/// cached one, the changed tenants are reloaded before the response. Licenses and activations are never cached.
public final class CatalogCache: Sendable {
    package let store: ServerStore
    /// Detects whether the store has lost records; `nil` without this detection, as in commands.
    let rewinds: RewindDetector?
    private let reading: CatalogReading
    private let latest: Mutex<CatalogSnapshot>
    private let underWay = Mutex<Task<Result<CatalogSnapshot, ServerError>, Never>?>(nil)

    /// Reads the whole catalog.
    ///
    /// Throws if the store fails or the master key is wrong.
    package init(
        _ reading: CatalogReading, store: any Store, master: MasterKey, rewinds: RewindDetector? = nil
    ) async throws(ServerError) {
        self.store = ServerStore(store)
        self.rewinds = rewinds
        self.reading = reading
        latest = Mutex(try await reading.snapshot(of: ServerStore(store), under: master))
    }

    /// Starts with a snapshot that an earlier run saved. It's used until the store can be read.
    package init(
        _ reading: CatalogReading, store: any Store, rewinds: RewindDetector? = nil,
        startingFrom snapshot: CatalogSnapshot
    ) {
        self.store = ServerStore(store)
        self.rewinds = rewinds
        self.reading = reading
        latest = Mutex(snapshot)
    }

    /// Writes the parts of the latest snapshot that this host saves for a start without the store.
    package func writeKept(into body: inout JSONObjectWriter) { reading.write(current, into: &body) }

    /// The latest snapshot that was read from the store, or the saved one that the cache started with.
    public var current: CatalogSnapshot { latest.withLock { $0 } }

    /// Returns a snapshot of the given version or a later one, and reads the store if the cached one is older.
    public func snapshot(of version: Int64) async throws(ServerError) -> CatalogSnapshot {
        if current.version >= version { return current }
        // A reload in progress may have started before that version was committed; the next one starts afterwards.
        let snapshot = try await refresh()
        return snapshot.version >= version ? snapshot : try await refresh()
    }

    /// Reloads the changed tenants if the store's catalog version differs from the cached one.
    ///
    /// The store's version is lower than the cached one after the database has returned to an older state.
    public func refreshIfChanged() async throws(ServerError) -> CatalogSnapshot {
        let version = try await store.catalogVersion()
        if current.version > version { return try await refresh() }
        return try await snapshot(of: version)
    }

    /// Reloads the changed tenants.
    ///
    /// Concurrent callers share one reload.
    @discardableResult
    public func refresh() async throws(ServerError) -> CatalogSnapshot {
        let reading = underWay.withLock { underWay in
            if let underWay { return underWay }
            // Detached, so that the deadline of the first caller doesn't apply to all of them.
            let task = Task.detached { [self] in
                let result = await readChanges()
                self.underWay.withLock { $0 = nil }
                return result
            }
            underWay = task
            return task
        }
        return try await reading.value.get()
    }

    private func readChanges() async -> Result<CatalogSnapshot, ServerError> {
        do throws(ServerError) {
            // Only one reload runs at a time, so this snapshot is the newest, even if its version is lower.
            let fresh = try await reading.snapshot(after: current, of: store, under: current.master)
            latest.withLock { $0 = fresh }
            return .success(fresh)
        } catch {
            return .failure(error)
        }
    }

    /// Runs a transaction whose decision depends on the catalog, using the version that the transaction itself reads.
    ///
    /// If the cached catalog is older, nothing is saved and the decision runs again with the newer one. Throws
    /// `catalog_busy` when ``RetryPolicy`` allows no other attempt.
    package func perform<Queries: Sendable, Answer: Sendable>(
        _ bound: BoundCatalogQuery<Queries>,
        decide: @escaping @Sendable (QueryResult, Queries, CatalogSnapshot) throws -> TransactionResult<Answer>
    ) async throws(ServerError) -> Answer {
        var attempts = RetryPolicy()
        return try await perform(bound, within: &attempts, decide: decide)
    }

    /// Runs a transaction whose decision depends on the catalog, with the attempts that the request has left.
    // Inlined, because another asynchronous frame in the method above could cost an allocation.
    @inline(__always)
    package func perform<Queries: Sendable, Answer: Sendable>(
        _ bound: BoundCatalogQuery<Queries>, within attempts: inout RetryPolicy,
        decide: @escaping @Sendable (QueryResult, Queries, CatalogSnapshot) throws -> TransactionResult<Answer>
    ) async throws(ServerError) -> Answer {
        var snapshot = current
        while attempts.takeAttempt() {
            if let answer = try await perform(under: snapshot, bound, decide: decide) { return answer }
            snapshot = try await refresh()
        }
        throw .catalogBusy
    }

    /// Runs a transaction under the catalog snapshot that authenticated the request.
    ///
    /// Throws ``CatalogChanged`` if the store has another catalog version; nothing is saved in that case. Any other
    /// failure, including an error of the decision, throws ``ServerError``.
    package func change<Queries: Sendable, Answer: Sendable>(
        under snapshot: CatalogSnapshot, _ bound: BoundCatalogQuery<Queries>,
        decide: @escaping @Sendable (QueryResult, Queries) throws -> TransactionResult<Answer>
    ) async throws -> Answer {
        let change = Transaction(under: snapshot.version, bound, decide: decide)
        guard let answer = try await store.perform(change) else { throw CatalogChanged() }
        return try answer.get()
    }

    /// Runs a transaction whose decision uses this snapshot.
    ///
    /// Saves nothing and returns `nil` if the store has another catalog version.
    private func perform<Queries: Sendable, Answer: Sendable>(
        under snapshot: CatalogSnapshot, _ bound: BoundCatalogQuery<Queries>,
        decide: @escaping @Sendable (QueryResult, Queries, CatalogSnapshot) throws -> TransactionResult<Answer>
    ) async throws(ServerError) -> Answer? {
        let change = Transaction(under: snapshot.version, bound) { results, queries in
            try decide(results, queries, snapshot)
        }
        return try await store.perform(change)?.get()
    }
}
