import TenureCore
import TenureStore

/// Ends the state in which a store is known to have lost events, once an operator has decided what to do about them.
enum SettleRewound {
    /// What the store lost; `nil` if nothing is to be settled.
    static func record(in store: any Store) async throws(StoreError) -> RewoundStore? {
        let plan = HistorySettings.plan
        return plan.queries.rewound(in: try await store.fetch(plan.bind()))
    }

    /// Begins a new history without that record; the catalog's version is raised, so that every server notices.
    static func settle(_ store: any Store) async throws(StoreError) {
        let plan = plan
        try await store.perform(
            Transaction(plan.bind([])) { results in
                TransactionResult(
                    (),
                    plan.queries.history.renewal(in: results) + plan.queries.marks.raised(for: [], in: results))
            })
    }

    private struct Queries: Sendable {
        let history: HistorySettings
        let marks: TenantMarks
    }

    private static let plan = QueryPlan(isAlone: true, for: [TenantID].self) { query in
        Queries(history: HistorySettings(&query), marks: TenantMarks(&query))
    }
}
