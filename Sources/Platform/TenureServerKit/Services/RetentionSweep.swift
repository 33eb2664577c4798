import TenureCore
package import TenureStore

/// Deletes expired rows in batches, so that other changes don't wait long.
package struct RetentionSweep<Row: Stored>: Sendable {
    private let set: RowSet<Row>
    private let plan: QueryPlan<[Row], RowsQuery<Row>>
    private let expire: @Sendable (Row) -> RowWrite

    /// Creates a sweep over a set of rows.
    ///
    /// The sweep belongs in a static value, because database engines cache its prepared statements for the life of the
    /// process.
    ///
    /// - Parameter expire: Returns the write for an expired row, which must remove the row from the set. The default
    ///   deletes the row.
    package init(_ set: RowSet<Row>, expire: @escaping @Sendable (Row) -> RowWrite = RowWrite.remove) {
        self.set = set
        self.expire = expire
        plan = QueryPlan { query in query.each(Row.table.key) { $0.flatMap(\.keyValues) } }
    }

    /// Deletes a batch of expired rows. Returns whether there may be more.
    ///
    /// - Parameters:
    ///   - filter: The conditions for reading candidates for deletion.
    ///   - isOver: Returns whether a candidate is still expired. Called inside the transaction that deletes it.
    package func removeBatch(
        in store: any Store, where filter: [Comparison], isOver: @escaping @Sendable (Row) -> Bool
    ) async throws(StoreError) -> Bool {
        let page = try await store.list(Listing(set, where: [filter], limit: Self.group))
        if page.isEmpty { return false }
        let rows = plan.queries
        let removed = try await store.perform(
            Transaction(plan.bind(page)) { results in
                let over = results[rows].filter(isOver)
                return TransactionResult(over.count, over.map(expire))
            })
        return removed > 0 && page.count == Self.group
    }

    private static var group: Int { 1_000 }
}

extension RetentionSweep where Row == IdempotentResponse {
    /// The stored responses to requests with an idempotency key, oldest first.
    package static let answers = RetentionSweep(IdempotentResponse.byAge)
}

extension RetentionSweep where Row == Job {
    /// The jobs, by id.
    package static let jobs = RetentionSweep(Job.table.all)
}
