package import TenureStore

/// What one run of a function reads from the store, without waiting.
///
/// A read that the store can't answer in place ends the run with ``PendingStep``. Once the result is there,
/// ``CatalogSource/reading(_:)`` runs the function again, and the same read returns it. The function may therefore run
/// several times, so it must not change anything before its last read.
package struct StoreReads {
    private let store: any Store
    private let known: StepResults
    let catalogVersion: Int64
    private var count = 0

    init(_ store: any Store, catalogVersion: Int64, known: StepResults) {
        self.store = store
        self.catalogVersion = catalogVersion
        self.known = known
    }

    /// Runs a plan's queries, all on the same snapshot of the store.
    ///
    /// Throws ``ServerError``, or ``PendingStep`` if the results have to be waited for.
    package mutating func fetch(_ bound: BoundQuery) throws -> QueryResult {
        let (index, result) = next(bound)
        if case .read(let result)? = result { return result }
        guard let result = try inPlace({ try store.fetchInPlace(bound) }) else {
            throw PendingStep.read(bound, index: index)
        }
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

    /// The index of the next step, and what an earlier run has waited for if it took the same step.
    mutating func next(_ bound: BoundQuery) -> (index: Int, result: StepResults.Result?) {
        defer { count += 1 }
        guard count < known.steps.count, known.steps[count].bound.isSame(as: bound) else { return (count, nil) }
        return (count, known.steps[count].result)
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
/// again, and the same change returns its answer.
package struct StoreChanges {
    /// The reads of the same run.
    package var reads: StoreReads
    /// What this and earlier runs have decided with ``once(_:)``, in their order.
    private(set) var decided: [any Sendable]
    private var count = 0

    init(reads: StoreReads, decided: [any Sendable]) {
        self.reads = reads
        self.decided = decided
    }

    /// Returns what the first run decides, so that later ones take the same steps although time has passed.
    package mutating func once<Decision: Sendable>(_ decide: () -> Decision) -> Decision {
        defer { count += 1 }
        if count < decided.count, let known = decided[count] as? Decision { return known }
        let decision = decide()
        decided.append(decision)
        return decision
    }

    /// Runs a transaction whose decision depends on the catalog of this run.
    ///
    /// If the store has another catalog, nothing is saved, and the function runs again with the newer one. A
    /// transaction that has saved something must be the last step of its function. Throws ``ServerError``, and
    /// ``PendingStep`` as long as the transaction hasn't run.
    package mutating func perform<Queries: Sendable, Answer: Sendable>(
        _ bound: BoundCatalogQuery<Queries>,
        decide: @escaping @Sendable (QueryResult, Queries) throws -> TransactionResult<Answer>
    ) throws -> Answer {
        let (index, result) = reads.next(bound.bound)
        guard case .change(let answer)? = result else {
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

    var steps: [(bound: BoundQuery, result: Result)] = []
    /// The version of the catalog that the store had when an earlier run asked for it.
    var checkedVersion: Int64?
    /// What earlier runs have decided with ``StoreChanges/once(_:)``.
    var decided: [any Sendable] = []

    /// Records the result of a step, and drops what an earlier run did instead of it.
    mutating func record(_ result: Result, of bound: BoundQuery, at index: Int) {
        steps.removeSubrange(index...)
        steps.append((bound, result))
    }
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
