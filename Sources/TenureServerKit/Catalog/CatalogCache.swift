import Synchronization
package import TenureFormats
package import TenureStore

/// Holds the latest catalog that was read, and decides under the one that a transaction sees.
///
/// Nothing is cached longer than it is true: each read and each change tells the catalog's version in its own
/// transaction, and what is newer than the cached one is read before anything is answered: the tenants that a change
/// concerned, once for all who wait. Licenses and activations are never cached.
public final class CatalogCache: Sendable {
    package let store: any Store
    package let master: MasterKey
    private let reading: CatalogReading
    private let latest: Mutex<CatalogSnapshot>
    private let underWay = Mutex<Task<Result<CatalogSnapshot, ServerError>, Never>?>(nil)

    /// Reads the catalog for the first time; throws what the store or a wrong master key makes fail.
    package init(_ reading: CatalogReading, store: any Store, master: MasterKey) async throws(ServerError) {
        self.store = store
        self.master = master
        self.reading = reading
        latest = Mutex(try await reading.snapshot(of: store, under: master))
    }

    /// Begins with a snapshot that was kept, until the store can be read.
    package init(
        _ reading: CatalogReading, store: any Store, master: MasterKey, startingFrom snapshot: CatalogSnapshot
    ) {
        self.store = store
        self.master = master
        self.reading = reading
        latest = Mutex(snapshot)
    }

    /// Writes what of the latest snapshot is kept on this machine.
    package func writeKept(into body: inout JSONObjectWriter) { reading.write(current, into: &body) }

    /// The latest snapshot that was read.
    public var current: CatalogSnapshot { latest.withLock { $0 } }

    /// The snapshot of a version that a read has told of, or of a later one.
    public func snapshot(of version: Int64) async throws(ServerError) -> CatalogSnapshot {
        if current.version >= version { return current }
        // A reading that was under way may have begun before that version; the next one cannot have.
        let snapshot = try await refresh()
        return snapshot.version >= version ? snapshot : try await refresh()
    }

    /// Reads what has changed if the store has another version than the cached one.
    public func refreshIfChanged() async throws(ServerError) -> CatalogSnapshot {
        let version = try await asking { () async throws(StoreError) in try await store.catalogVersion() }
        return try await snapshot(of: version)
    }

    /// Reads what has changed. Of many who ask at once one reads, and the others wait for it.
    @discardableResult
    public func refresh() async throws(ServerError) -> CatalogSnapshot {
        let reading = underWay.withLock { underWay in
            if let underWay { return underWay }
            // Detached, so that the deadline of whoever came first is not that of all.
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
            let fresh = try await reading.snapshot(after: current, of: store, under: master)
            return .success(
                latest.withLock { latest in
                    if fresh.version >= latest.version { latest = fresh }
                    return latest
                })
        } catch {
            return .failure(error)
        }
    }

    /// Carries out a change whose decision rests on the catalog: decided under the version of its own transaction.
    ///
    /// A decision under an older version saves nothing and is made again under the newer one.
    package func perform<Looks: Sendable, Answer: Sendable>(
        _ asked: CatalogAsked<Looks>,
        decide: @escaping @Sendable (Seen, Looks, CatalogSnapshot) throws(ServerError) -> Saving<Answer>
    ) async throws(ServerError) -> Answer {
        var snapshot = current
        for _ in 0..<Self.attempts {
            if let answer = try await perform(under: snapshot, asked, decide: decide) { return answer }
            snapshot = try await refresh()
        }
        throw .catalogBusy
    }

    /// Carries out a change under this snapshot; saves nothing and answers nil when the store has another version.
    package func perform<Looks: Sendable, Answer: Sendable>(
        under snapshot: CatalogSnapshot, _ asked: CatalogAsked<Looks>,
        decide: @escaping @Sendable (Seen, Looks, CatalogSnapshot) throws(ServerError) -> Saving<Answer>
    ) async throws(ServerError) -> Answer? {
        let form = asked.form
        let change = Change(asked.asked) { seen -> Saving<Result<Answer, ServerError>?> in
            guard form.version(in: seen).version == snapshot.version else { return Saving(nil) }
            do throws(ServerError) {
                let saving = try decide(seen, form.form.looks.looks, snapshot)
                return Saving(.success(saving.answer), saving.saves)
            } catch {
                return Saving(.failure(error))
            }
        }
        return try await asking { () async throws(StoreError) in try await store.perform(change) }?.get()
    }

    /// How often something is decided again because the catalog has changed meanwhile.
    package static let attempts = 8
}

extension CatalogCache: CatalogSource {
    package static func version(of snapshot: CatalogSnapshot) -> Int64 { snapshot.version }
    package static func isComplete(_ snapshot: CatalogSnapshot) -> Bool { snapshot.isComplete }
}
