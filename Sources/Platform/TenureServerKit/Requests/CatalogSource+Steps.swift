package import TenureStore

/// A transaction of ``StoreChanges``, without the type of its answer.
package protocol PendingCatalogChange: Sendable {
    /// The bound plan that loads what the decision needs.
    var bound: BoundQuery { get }

    /// Runs the transaction and returns its answer as an object.
    func run(on store: any Store) async throws(StoreError) -> any AnyObject & Sendable
}

/// A transaction under a version of the catalog.
struct CatalogChange<Answer: Sendable>: PendingCatalogChange {
    /// The answer of a decision, or the error that it threw.
    final class Outcome: Sendable {
        /// `nil` if the store had another version of the catalog.
        let answer: Result<Answer, ServerError>?

        init(_ answer: Result<Answer, ServerError>?) { self.answer = answer }
    }

    private let change: Transaction<Result<Answer, ServerError>?>

    var bound: BoundQuery { change.bound }

    init(_ change: Transaction<Result<Answer, ServerError>?>) { self.change = change }

    func run(on store: any Store) async throws(StoreError) -> any AnyObject & Sendable {
        Outcome(try await store.perform(change))
    }
}

extension Transaction {
    /// A transaction that decides nothing, and answers `nil`, if the store has another version of the catalog.
    init<Queries: Sendable, Decided: Sendable>(
        under version: Int64, _ bound: BoundCatalogQuery<Queries>,
        decide: @escaping @Sendable (QueryResult, Queries) throws -> TransactionResult<Decided>
    ) where Answer == Result<Decided, ServerError>? {
        let queries = bound.queries
        self.init(bound.bound) { results in
            guard queries.version(in: results).version == version else { return TransactionResult(nil) }
            do {
                let saving = try decide(results, queries.queries)
                return TransactionResult(.success(saving.answer), saving.saves)
            } catch {
                return TransactionResult(.failure(ServerError(thrown: error)))
            }
        }
    }
}

extension CatalogSource {
    /// Runs a function of reads with the latest catalog; throws ``PendingStep`` if one of its reads has to wait.
    func readingInPlace<Answer>(_ body: (Snapshot, inout StoreReads) throws -> Answer) throws -> Answer {
        let snapshot = current
        // If a read has to wait, the next runs read again what this one read in place.
        var reads = StoreReads(
            store, catalogVersion: Self.version(of: snapshot), known: StepResults(), keepsReads: false)
        return try body(snapshot, &reads)
    }

    /// Runs a function of reads with the latest catalog, and runs it again after each read that it had to wait for.
    ///
    /// Throws what the function throws, and ``ServerError`` if the store fails or the catalog changes each time.
    package func reading<Answer>(
        _ body: (Snapshot, inout StoreReads) throws -> Answer
    ) async throws -> Answer {
        try await changing { snapshot, changes in try body(snapshot, &changes.reads) }
    }

    /// Runs a function of reads and changes with the latest catalog, and runs it again after each step that it had to
    /// wait for.
    ///
    /// Throws what the function throws, and ``ServerError`` if the store fails or the catalog changes each time.
    package func changing<Answer>(
        _ body: (Snapshot, inout StoreChanges) throws -> Answer
    ) async throws -> Answer {
        try await changing(after: nil, body)
    }

    /// Waits for a step, and goes on like ``changing(_:)``.
    func changing<Answer>(
        after pending: PendingStep?, _ body: (Snapshot, inout StoreChanges) throws -> Answer
    ) async throws -> Answer {
        var known = StepResults()
        var attempts = RetryPolicy()
        var pending = pending
        // The same in all runs until the store has a newer one, so that a change that is made stays authenticated.
        var snapshot = current
        while true {
            switch pending {
            case .read(let bound, let index):
                known.record(.read(try await asking { try await store.fetch(bound) }), of: bound, at: index)
            case .change(let change, let index):
                known.record(.change(try await asking { try await change.run(on: store) }), of: change.bound, at: index)
            case .catalog:
                guard attempts.takeAttempt() else { throw ServerError.catalogBusy }
                // What was read under the old catalog is read again.
                snapshot = try await refreshIfChanged()
                known = StepResults(checkedVersion: Self.version(of: snapshot))
            case nil:
                break
            }
            let reads = StoreReads(
                store, catalogVersion: Self.version(of: snapshot), known: known, keepsReads: true)
            var changes = StoreChanges(reads: reads)
            do {
                return try body(snapshot, &changes)
            } catch let error as PendingStep {
                pending = error
                known = changes.reads.known
            }
        }
    }
}
