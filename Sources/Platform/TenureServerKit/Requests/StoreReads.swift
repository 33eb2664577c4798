package import TenureStore

/// What one run of a function reads from the store, without waiting.
///
/// A read that the store can't answer in place ends the run with ``PendingStep``. Once the result is there,
/// ``CatalogSource/reading(_:)`` runs the function again, and the same read returns it. The function may therefore run
/// several times, so it must not change anything before its last read.
package struct StoreReads {
    private let store: any Store
    let catalogVersion: Int64
    /// The results of earlier runs, and with ``keepsReads`` of this run's reads.
    fileprivate(set) var known: StepResults
    /// Whether later runs get the results of this run's reads, because a change in between may affect them.
    private let keepsReads: Bool
    private var count = 0

    init(_ store: any Store, catalogVersion: Int64, known: StepResults, keepsReads: Bool) {
        self.store = store
        self.catalogVersion = catalogVersion
        self.known = known
        self.keepsReads = keepsReads
    }

    /// Runs a plan's queries, all on the same snapshot of the store.
    ///
    /// Throws ``ServerError``, or ``PendingStep`` if the results have to be waited for.
    package mutating func fetch(_ bound: BoundQuery) throws -> QueryResult {
        let index = nextIndex()
        if case .read(let result)? = known.result(of: bound, at: index) { return result }
        guard let result = try inPlace({ try store.fetchInPlace(bound) }) else {
            throw PendingStep.read(bound, index: index)
        }
        if keepsReads { known.record(.read(result), of: bound, at: index) }
        return result
    }

    /// Runs a plan's queries under the catalog of this run.
    ///
    /// If the store has a newer catalog, it throws ``PendingStep``, and the function runs again with that one.
    package mutating func fetch<Queries>(
        _ bound: BoundCatalogQuery<Queries>
    ) throws -> (results: QueryResult, queries: Queries) {
        let results = try fetch(bound.bound)
        guard bound.queries.version(in: results).version <= catalogVersion else { throw PendingStep.catalog }
        return (results, bound.queries.queries)
    }

    /// Ends the run if the store has a newer catalog than this run uses.
    mutating func checkCatalog() throws {
        if let checked = known.checkedVersion, checked <= catalogVersion { return }
        guard try inPlace({ try store.catalogVersionInPlace() }) == catalogVersion else { throw PendingStep.catalog }
    }

    /// The index of the next step of this run.
    fileprivate mutating func nextIndex() -> Int {
        defer { count += 1 }
        return count
    }

    private func inPlace<Answer>(_ read: () throws -> Answer?) throws(ServerError) -> Answer? {
        do {
            return try read()
        } catch {
            throw ServerError(thrown: error)
        }
    }
}

/// What one run of a function reads from the store and changes in it, without waiting.
///
/// Every change ends the run with ``PendingStep``. Once it's made, ``CatalogSource/changing(_:)`` runs the function
/// again, and the same change returns its answer. So that all runs take the same steps, their parameters must not depend
/// on the time or on random numbers, unless ``once(_:)`` decides these.
package struct StoreChanges {
    /// The reads of the same run. Later runs get the same results.
    package var reads: StoreReads
    private var count = 0

    init(reads: StoreReads) {
        self.reads = reads
    }

    /// Returns what the first run decides, so that later ones take the same steps although time has passed.
    package mutating func once<Decision: Sendable>(_ decide: () -> Decision) -> Decision {
        defer { count += 1 }
        if count < reads.known.decided.count, let known = reads.known.decided[count] as? Decision { return known }
        let decision = decide()
        reads.known.decided.append(decision)
        return decision
    }

    /// Runs a transaction whose decision depends on the catalog of this run.
    ///
    /// If the store has another catalog, nothing is saved, and the function runs again with the newer one. A
    /// transaction that has saved something must be the last step of its function. Throws ``ServerError``, also if an
    /// earlier run has made another change in this one's place, and ``PendingStep`` as long as the transaction hasn't
    /// run.
    package mutating func perform<Queries: Sendable, Answer: Sendable>(
        _ bound: BoundCatalogQuery<Queries>,
        decide: @escaping @Sendable (QueryResult, Queries) throws -> TransactionResult<Answer>
    ) throws -> Answer {
        let index = reads.nextIndex()
        guard case .change(let answer)? = reads.known.result(of: bound.bound, at: index) else {
            // Both would be saved, for example two activations for one request.
            guard !reads.known.hasChange(at: index) else { throw ServerError.changeNotRepeated }
            throw PendingStep.change(
                CatalogChange(Transaction(under: reads.catalogVersion, bound, decide: decide)), index: index)
        }
        guard let answer = (answer as? CatalogChange<Answer>.Outcome)?.answer else { throw PendingStep.catalog }
        return try answer.get()
    }
}

/// The steps of a function that earlier runs have waited for, in their order.
struct StepResults: Sendable {
    enum Result: Sendable {
        case read(QueryResult)
        case change(any AnyObject & Sendable)
    }

    /// The version of the catalog that the store had when an earlier run asked for it.
    let checkedVersion: Int64?
    /// What earlier runs have decided with ``StoreChanges/once(_:)``.
    var decided: [any Sendable] = []
    private var steps: [(index: Int, bound: BoundQuery, result: Result)] = []

    init(checkedVersion: Int64? = nil) {
        self.checkedVersion = checkedVersion
    }

    /// The result of a run's step with this index; `nil` unless it had the same parameters.
    func result(of bound: BoundQuery, at index: Int) -> Result? {
        steps.first { $0.index == index && $0.bound.isSame(as: bound) }?.result
    }

    /// Whether the step with this index was a change.
    func hasChange(at index: Int) -> Bool {
        steps.contains { step in if case .change = step.result { step.index == index } else { false } }
    }

    /// Records the result of a step, instead of a read that an earlier run had in its place.
    mutating func record(_ result: Result, of bound: BoundQuery, at index: Int) {
        steps.removeAll { $0.index == index }
        steps.append((index, bound, result))
    }
}

extension ServerError {
    fileprivate static let changeNotRepeated = ServerError(
        .init("change_not_repeated"), "A request made another change when it was run again. Please report this.")
}

/// A step that has to be waited for before a function of ``StoreReads`` or ``StoreChanges`` can run again.
package enum PendingStep: Error {
    /// The queries of the run's step with this index.
    case read(BoundQuery, index: Int)
    /// The change of the run's step with this index.
    case change(any PendingCatalogChange, index: Int)
    /// The catalog, which the store may have in a newer version.
    case catalog
}
