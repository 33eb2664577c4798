import TenureCore
public import TenureStore

/// Makes running jobs due at once when a server starts on a folder that only one server can use.
///
/// Such jobs were taken by the previous run of this server, so nothing else works on them.
public struct ReclaimJobs: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Creates the operation for a store.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// Makes up to 1000 running jobs due now.
    public func callAsFunction() async throws(ServerError) {
        let (now, plan) = (clock.now(), Self.plan)
        let running = try await asking { try await store.jobs([.running], limit: 1000) }
        if running.isEmpty { return }
        let change = Transaction(plan.bind(running.map(\.id))) { results -> TransactionResult<Void> in
            TransactionResult(
                (),
                results[plan.queries].filter { $0.state == .running && $0.dueAt > now }.map { job in
                    var due = job
                    due.dueAt = now
                    return .replace(job, by: due)
                })
        }
        try await asking { try await store.perform(change) }
    }

    private static let plan = QueryPlan(for: [String].self) { query in
        query.each(Job.table.key) { $0.map(StoredValue.of) }
    }
}
