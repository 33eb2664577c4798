import TenureCore
import TenureStore

/// Removes the record that a store has lost events, once an operator has decided what to do about the loss.
enum SettleRewound {
    /// Returns the record of the store's loss; `nil` if there is no loss to resolve.
    static func record(in store: any Store) async throws(StoreError) -> RewoundStore? {
        let plan = HistorySettings.plan
        return plan.queries.rewound(in: try await store.fetch(plan.bind()))
    }

    /// Begins a new history without the record of the loss. Also increases the catalog's version so far that every
    /// server reads the whole catalog again.
    ///
    /// Returns `false`, and changes nothing, if the stored record differs, for example because more losses have been
    /// recorded since.
    ///
    /// - Parameter record: The record of the loss that the operator has seen; `nil` for no loss.
    static func settle(_ record: RewoundStore?, in store: any Store) async throws(StoreError) -> Bool {
        let plan = plan
        return try await store.perform(
            Transaction(plan.bind()) { results in
                guard plan.queries.history.rewound(in: results) == record else { return TransactionResult(false) }
                let version = results[plan.queries.version] ?? CatalogVersion(version: 0)
                return TransactionResult(
                    true,
                    plan.queries.history.renewal(in: results)
                        + [.replace(version, by: CatalogVersion(version: version.version + MendRewound.room))])
            })
    }

    private struct Queries: Sendable {
        let history: HistorySettings
        let version: RowQuery<CatalogVersion>
    }

    private static let plan = QueryPlan(isAlone: true) { query in
        Queries(history: HistorySettings(&query), version: query.row(CatalogVersion.table.key))
    }
}
