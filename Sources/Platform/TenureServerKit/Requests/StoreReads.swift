package import TenureStore

/// What one run of a function reads from the store, without waiting.
///
/// A read for which the store would have to wait ends the run with ``PendingRead``. Once the result is there,
/// ``CatalogCache/reading(_:)`` runs the function again, and the same read returns it. The function may therefore run
/// several times, so it must not change anything before its last read.
package struct StoreReads {
    private let store: any Store
    let catalogVersion: Int64
    /// The results of the reads that earlier runs waited for.
    private let results: ReadResults
    private var count = 0
    /// What a run holds until its request has its response, such as an attempt at a license key; later runs get it.
    package var held: (any AnyObject & Sendable)?

    init(_ store: any Store, catalogVersion: Int64, results: ReadResults) {
        self.store = store
        self.catalogVersion = catalogVersion
        self.results = results
        held = results.held
    }

    /// Runs a plan's queries, all on the same snapshot of the store.
    ///
    /// Throws ``ServerError``, or ``PendingRead`` if the results have to be waited for.
    package mutating func fetch(_ bound: BoundQuery) throws -> QueryResult {
        defer { count += 1 }
        if let result = results.result(of: bound, at: count) { return result }
        guard let result = try inPlace({ try store.fetchInPlace(bound) }) else {
            throw PendingRead(bound: bound, index: count, held: held)
        }
        return result
    }

    /// Runs a plan's queries under the catalog of this run.
    ///
    /// If the store has a newer catalog, it throws ``CatalogChanged``, and the function runs again with that one.
    package mutating func fetch<Queries>(
        _ bound: BoundCatalogQuery<Queries>
    ) throws -> (results: QueryResult, queries: Queries) {
        let results = try fetch(bound.bound)
        guard bound.queries.version(in: results).version <= catalogVersion else { throw CatalogChanged() }
        return (results, bound.queries.queries)
    }

    /// Ends the run if the store has a newer catalog than this run uses.
    mutating func checkCatalog() throws {
        if let checked = results.checkedVersion, checked <= catalogVersion { return }
        guard try inPlace({ try store.catalogVersionInPlace() }) == catalogVersion else { throw CatalogChanged() }
    }

    private func inPlace<Answer>(_ read: () throws -> Answer?) throws(ServerError) -> Answer? {
        do {
            return try read()
        } catch {
            throw ServerError(thrown: error)
        }
    }
}

/// The results that earlier runs of a function have waited for.
struct ReadResults: Sendable {
    /// The version of the catalog that the store had when an earlier run read it.
    let checkedVersion: Int64?
    /// See ``StoreReads/held``.
    private(set) var held: (any AnyObject & Sendable)?
    private var reads: [(index: Int, bound: BoundQuery, result: QueryResult)] = []

    init(checkedVersion: Int64? = nil) {
        self.checkedVersion = checkedVersion
    }

    /// The result of a run's read with this index; `nil` unless it had the same parameters.
    func result(of bound: BoundQuery, at index: Int) -> QueryResult? {
        reads.first { $0.index == index && $0.bound.isSame(as: bound) }?.result
    }

    /// Records the result of a read, instead of the one that an earlier run had in its place.
    mutating func record(_ result: QueryResult, of read: PendingRead) {
        held = read.held
        reads.removeAll { $0.index == read.index }
        reads.append((read.index, read.bound, result))
    }
}

/// A read that has to be waited for before a function of ``StoreReads`` can run again.
struct PendingRead: Error {
    let bound: BoundQuery
    /// The position of the read among those of its run.
    let index: Int
    /// See ``StoreReads/held``.
    let held: (any AnyObject & Sendable)?
}

/// Nothing was saved and no response was created, because the store has another version of the catalog than the request
/// uses.
///
/// The request is handled again, from its authentication on, under the newer catalog.
package struct CatalogChanged: Error {
    package init() {}
}
