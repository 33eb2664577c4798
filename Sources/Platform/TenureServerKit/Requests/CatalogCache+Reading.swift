import TenureStore

extension CatalogCache {
    /// Runs a function of reads with the latest catalog.
    ///
    /// Throws ``PendingRead`` if one of its reads has to wait, and ``CatalogChanged``.
    func readingInPlace<Answer>(_ body: (CatalogSnapshot, inout StoreReads) throws -> Answer) throws -> Answer {
        let snapshot = current
        var reads = StoreReads(store.inner, catalogVersion: snapshot.version, results: ReadResults())
        return try body(snapshot, &reads)
    }

    /// Runs a function of reads with the latest catalog, and runs it again after each read that it had to wait for.
    ///
    /// Throws what the function throws, and ``ServerError`` if the store fails or the catalog changes each time.
    package func reading<Answer>(
        _ body: (CatalogSnapshot, inout StoreReads) throws -> Answer
    ) async throws -> Answer {
        try await reading(after: nil, body)
    }

    /// Waits for the read that ended an earlier run, if any, and continues like ``reading(_:)``.
    func reading<Answer>(
        after ending: (any Error)?, _ body: (CatalogSnapshot, inout StoreReads) throws -> Answer
    ) async throws -> Answer {
        var results = ReadResults()
        var attempts = RetryPolicy()
        var ending = ending
        // The same in all runs until the store has a newer one, so that a caller stays authenticated.
        var snapshot = current
        while true {
            switch ending {
            case let read as PendingRead:
                results.record(try await store.fetch(read.bound), of: read)
            case is CatalogChanged:
                guard attempts.takeAttempt() else { throw ServerError.catalogBusy }
                // Rows that were read under the old catalog are read again.
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

    /// Runs a function of reads under this catalog, for a request that also waits for other things.
    ///
    /// Throws what the function throws, ``ServerError`` if the store fails, and ``CatalogChanged``.
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
    /// Creates a transaction that changes nothing and returns `nil` if the store has another version of the catalog.
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
