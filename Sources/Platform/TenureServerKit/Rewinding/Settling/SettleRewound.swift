import TenureCore
import TenureStore

/// Ends the state in which a store is known to have lost events, once an operator has decided what to do about them.
enum SettleRewound {
    /// What the store lost; `nil` if there is no loss to resolve.
    static func record(in store: any Store) async throws(StoreError) -> RewoundStore? {
        let plan = HistorySettings.plan
        return plan.queries.rewound(in: try await store.fetch(plan.bind()))
    }

    /// Begins a new history without that record; the catalog's version is raised so far that every server reads the whole
    /// catalog again.
    ///
    /// Returns `false`, and changes nothing, if more losses have been recorded since.
    ///
    /// - Parameter record: What the operator knows that the store lost.
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
