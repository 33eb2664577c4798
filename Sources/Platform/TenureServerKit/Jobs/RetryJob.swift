public import TenureCore
public import TenureStore

/// Retries a job that failed for good, at an operator's request.
public struct RetryJob: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Creates the operation for a store.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// Makes a failed job due at once, with all its retries; repeating the call changes nothing.
    ///
    /// Returns the job and whether it has changed; `nil` if there's no such job. Throws ``ServerError``.
    public func callAsFunction(
        _ id: String, by actor: Actor
    ) async throws(ServerError) -> (job: Job, hasChanged: Bool)? {
        let (now, form) = (clock.now(), Self.form)
        let change = Transaction(form.asked(id)) { seen -> TransactionResult<(job: Job, hasChanged: Bool)?> in
            guard let job = seen[form.looks] else { return TransactionResult(nil) }
            guard let retried = job.retried(at: now) else { return TransactionResult((job, false)) }
            return TransactionResult(
                (retried, true), job.saves(retried, at: now) + job.event(.jobRetried, at: now, by: actor))
        }
        return try await asking { try await store.perform(change) }
    }

    private static let form = QueryPlan(for: String.self) { ask in ask.row(Job.table.key) { [.of($0)] } }
}
