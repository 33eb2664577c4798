public import TenureCore
public import TenureStore

/// Retries a job that failed permanently, at an operator's request.
public struct RetryJob: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Creates the operation for a store.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// Makes a failed job due at once, with all retries of its kind; repeating the call changes nothing.
    ///
    /// Returns the job and whether this call has changed it; `nil` if there's no such job. Throws ``ServerError``.
    public func callAsFunction(
        _ id: String, by actor: Actor
    ) async throws(ServerError) -> (job: Job, hasChanged: Bool)? {
        let (now, plan) = (clock.now(), Self.plan)
        let change = Transaction(plan.bind(id)) { results -> TransactionResult<(job: Job, hasChanged: Bool)?> in
            guard let job = results[plan.queries] else { return TransactionResult(nil) }
            guard let retried = job.retried(at: now) else { return TransactionResult((job, false)) }
            return TransactionResult(
                (retried, true), job.saves(retried, at: now) + job.event(.jobRetried, at: now, by: actor))
        }
        return try await asking { try await store.perform(change) }
    }

    private static let plan = QueryPlan(for: String.self) { query in query.row(Job.table.key) { [.of($0)] } }
}
