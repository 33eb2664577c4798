import TenureCore
import TenureStore

extension FeatureContext {
    /// Makes up to 1000 running jobs due at once when a server starts on a data folder.
    ///
    /// Only one server can use a data folder at a time, so the server that took these jobs has ended and no longer
    /// runs them.
    package func reclaimJobs() async throws(ServerError) {
        let (now, plan) = (clock.now(), runningJobs)
        let running = try await store.jobs([.running], limit: 1000)
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
        try await store.perform(change)
    }
}

private let runningJobs = QueryPlan(for: [String].self) { query in
    query.each(Job.table.key) { $0.map(StoredValue.of) }
}
