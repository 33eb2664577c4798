import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RetentionRule {
    /// Released activations are deleted after a year, when no rule counts them any longer.
    ///
    /// A device that is activated and released again and again would otherwise leave rows forever. The events stay.
    static let releasedActivations = [
        RetentionRule { store, now throws(StoreError) in
            try await sweep(Activation.byRelease, "released_at", in: store, at: now) { $0.releasedAt }
        },
        RetentionRule { store, now throws(StoreError) in
            try await sweep(Activation.byCountEnd, "counts_until", in: store, at: now) { $0.countsUntil }
        },
    ]

    /// Deletes a batch of a set's rows that are more than a year old; returns whether there may be more.
    private static func sweep(
        _ set: RowSet<Activation>, _ column: String, in store: any Store, at now: Timestamp,
        date: @escaping @Sendable (Activation) -> Timestamp?
    ) async throws(StoreError) -> Bool {
        let limit = now.adding(days: -(SelfRelease.countedDays + 1))
        let page = try await store.list(
            Listing(set, where: [[Comparison(column, .below(.of(limit)))]], limit: Self.batch))
        if page.isEmpty { return false }
        let queries = plan.queries
        return try await store.perform(
            Transaction(plan.bind(page.map(\.id))) { results in
                let over = results[queries.activations].filter { !$0.isLive && date($0).map { $0 < limit } ?? false }
                let ids = Set(over.map(\.id))
                let seen = results[queries.seen].filter { ids.contains($0.activation) }
                return TransactionResult(
                    !over.isEmpty && page.count == Self.batch,
                    over.map(RowWrite.remove) + seen.map(RowWrite.remove))
            })
    }

    private static let plan = QueryPlan(for: [ActivationID].self) { query in
        (
            activations: query.each(Activation.table.key) { $0.map(StoredValue.of) },
            seen: query.each(LastSeen.table.key) { $0.map(StoredValue.of) }
        )
    }

    private static let batch = 1_000
}
