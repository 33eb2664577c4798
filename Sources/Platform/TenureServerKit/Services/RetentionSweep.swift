import TenureCore
package import TenureStore

/// Deletes expired rows in batches, so that other changes don't wait long.
package struct RetentionSweep<Row: Stored>: Sendable {
    private let set: RowSet<Row>
    private let plan: QueryPlan<[Row], RowsQuery<Row>>

    /// Deletes rows of a set.
    ///
    /// Keep the value static.
    package init(_ set: RowSet<Row>) {
        self.set = set
        plan = QueryPlan { query in query.each(Row.table.key) { $0.flatMap(\.keyValues) } }
    }

    /// Deletes a batch of matching rows that are still expired inside the transaction.
    ///
    /// Returns whether there may be more. Throws `StoreError`.
    package func callAsFunction(
        in store: any Store, where filter: [Comparison], isOver: @escaping @Sendable (Row) -> Bool
    ) async throws(StoreError) -> Bool {
        let page = try await store.list(Listing(set, where: [filter], limit: Self.group))
        if page.isEmpty { return false }
        let rows = plan.queries
        let removed = try await store.perform(
            Transaction(plan.bind(page)) { results in
                let over = results[rows].filter(isOver)
                return TransactionResult(over.count, over.map(RowWrite.remove))
            })
        return removed > 0 && page.count == Self.group
    }

    private static var group: Int { 1_000 }
}

extension RetentionSweep where Row == IdempotentResponse {
    /// Remembered responses, by age.
    package static let answers = RetentionSweep(IdempotentResponse.byAge)
}

extension RetentionSweep where Row == Job {
    /// Jobs, by id.
    package static let jobs = RetentionSweep(Job.table.all)
}
