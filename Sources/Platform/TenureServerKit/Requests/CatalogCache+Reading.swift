import TenureStore

extension CatalogCache {
    /// Runs a function that reads from the store with the latest catalog, without waiting.
    ///
    /// Throws ``PendingRead`` if the function must wait for a read, and ``CatalogChanged`` if the store has a newer
    /// catalog.
    func readingInPlace<Answer>(_ body: (CatalogSnapshot, inout StoreReads) throws -> Answer) throws -> Answer {
        let snapshot = current
        var reads = StoreReads(store.inner, catalogVersion: snapshot.version, results: ReadResults())
        return try body(snapshot, &reads)
    }

    /// Runs a function that reads from the store with the latest catalog. Runs the function again after each read that
    /// it must wait for.
    ///
    /// Throws the function's errors, and ``ServerError`` if the store fails or the catalog changes each time.
    package func reading<Answer>(
        _ body: (CatalogSnapshot, inout StoreReads) throws -> Answer
    ) async throws -> Answer {
        try await reading(after: nil, body)
    }

    /// Waits for the pending read that ended an earlier run, if there was one. Then continues like ``reading(_:)``.
    func reading<Answer>(
        after ending: (any Error)?, _ body: (CatalogSnapshot, inout StoreReads) throws -> Answer
    ) async throws -> Answer {
        var results = ReadResults()
        var attempts = RetryPolicy()
        var ending = ending
        // All runs use the same snapshot until the store has a newer one, so that an authenticated caller stays
        // authenticated.
        var snapshot = current
        while true {
            switch ending {
            case let read as PendingRead:
                results.record(try await store.fetch(read.bound), of: read)
            case is CatalogChanged:
                guard attempts.takeAttempt() else { throw ServerError.catalogBusy }
                // Rows that were read under the old catalog must be read again.
                snapshot = try await refreshIfChanged()
                results = ReadResults(checkedVersion: snapshot.version)
            default:
                break
            }
            var reads = StoreReads(store.inner, catalogVersion: snapshot.version, results: results)
            do {
                return try body(snapshot, &reads)
            } catch  where error is PendingRead || error is CatalogChanged {
                ending = error
            }
        }
    }

    /// Runs a function that reads from the store under this catalog, for a request that also waits for other things.
    ///
    /// Throws the function's errors, ``ServerError`` if the store fails, and ``CatalogChanged`` if the store has a
    /// newer catalog.
    package func reading<Answer>(
        under snapshot: CatalogSnapshot, _ body: (inout StoreReads) throws -> Answer
    ) async throws -> Answer {
        var results = ReadResults()
        while true {
            var reads = StoreReads(store.inner, catalogVersion: snapshot.version, results: results)
            do {
                return try body(&reads)
            } catch let read as PendingRead {
                results.record(try await store.fetch(read.bound), of: read)
            }
        }
    }
}

extension Transaction {
    /// Creates a transaction that runs a decision under a version of the catalog.
    ///
    /// If the store has another version, the transaction changes nothing and returns `nil`.
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
