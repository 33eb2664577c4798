package import TenureCore
import TenureStore

extension FeatureContext {
    /// Makes a permanently failed job due at once, with every retry of its kind. Repeating the call changes nothing.
    ///
    /// Returns the job and whether this call changed it; `nil` if the job doesn't exist.
    package func retryJob(
        _ id: String, by actor: Actor
    ) async throws(ServerError) -> (job: Job, hasChanged: Bool)? {
        let (now, plan) = (clock.now(), jobPlan)
        let change = Transaction(plan.bind(id)) { results -> TransactionResult<(job: Job, hasChanged: Bool)?> in
            guard let job = results[plan.queries] else { return TransactionResult(nil) }
            guard let retried = job.retried(at: now) else { return TransactionResult((job, false)) }
            return TransactionResult(
                (retried, true), job.saves(retried, at: now) + job.event(.jobRetried, at: now, by: actor))
        }
        return try await store.perform(change)
    }
}

private let jobPlan = QueryPlan(for: String.self) { query in query.row(Job.table.key) { [.of($0)] } }
