package import TenureCore
import TenureStore

extension FeatureContext {
    /// Makes a job that failed permanently due at once, with all retries of its kind; repeating the call changes nothing.
    ///
    /// Returns the job and whether this call has changed it; `nil` if there's no such job.
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
