package import TenureStore

/// The reads of one run of a function, which don't wait for the store.
///
/// If the store can't return a result without waiting, the run ends with ``PendingRead``. Once the result is
/// available, ``CatalogCache/reading(_:)`` runs the function again, and the same read returns that result. So the
/// function may run several times, and must not change anything before its last read.
package struct StoreReads {
    private let store: any Store
    let catalogVersion: Int64
    /// The results of reads that earlier runs waited for.
    private let results: ReadResults
    private var count = 0
    /// An object that stays alive until the request has its response, such as an attempt with a license key. Later
    /// runs of the function get it; it's `nil` until a run sets it.
    package var held: (any AnyObject & Sendable)?

    init(_ store: any Store, catalogVersion: Int64, results: ReadResults) {
        self.store = store
        self.catalogVersion = catalogVersion
        self.results = results
        held = results.held
    }

    /// Runs a plan's queries, all on the same snapshot of the store.
    ///
    /// Throws ``ServerError``, or ``PendingRead`` if the results aren't available without waiting.
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
    /// Throws ``CatalogChanged`` if the store has a newer catalog. The function then runs again with the newer
    /// catalog.
    package mutating func fetch<Queries>(
        _ bound: BoundCatalogQuery<Queries>
    ) throws -> (results: QueryResult, queries: Queries) {
        let results = try fetch(bound.bound)
        guard bound.queries.version(in: results).version <= catalogVersion else { throw CatalogChanged() }
        return (results, bound.queries.queries)
    }

    /// Throws ``CatalogChanged`` if the store has another version of the catalog than this run uses.
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

/// The results of reads that earlier runs of a function waited for.
struct ReadResults: Sendable {
    /// The catalog's version in the store when an earlier run read it; `nil` if no earlier run did.
    let checkedVersion: Int64?
    /// See ``StoreReads/held``.
    private(set) var held: (any AnyObject & Sendable)?
    private var reads: [(index: Int, bound: BoundQuery, result: QueryResult)] = []

    init(checkedVersion: Int64? = nil) {
        self.checkedVersion = checkedVersion
    }

    /// Returns the result of the read at an index of the run; `nil` unless that read had the same parameters.
    func result(of bound: BoundQuery, at index: Int) -> QueryResult? {
        reads.first { $0.index == index && $0.bound.isSame(as: bound) }?.result
    }

    /// Records the result of a read. It replaces the result of an earlier run's read at the same index.
    mutating func record(_ result: QueryResult, of read: PendingRead) {
        held = read.held
        reads.removeAll { $0.index == read.index }
        reads.append((read.index, read.bound, result))
    }
}

/// A read that must be waited for before a function of ``StoreReads`` runs again.
struct PendingRead: Error {
    let bound: BoundQuery
    /// The index of the read among the reads of its run.
    let index: Int
    /// See ``StoreReads/held``.
    let held: (any AnyObject & Sendable)?
}

/// The error if the store has another version of the catalog than the request uses. Nothing was saved.
///
/// The request is authenticated and handled again under the newer catalog.
package struct CatalogChanged: Error {
    package init() {}
}
