import TenureCore
import TenureStore

extension FeatureContext {
    /// Makes up to 1000 running jobs due at once when a server starts on a data folder, which only one server can use at
    /// a time.
    ///
    /// A previous server process took these jobs and has ended, so nothing works on them anymore.
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
