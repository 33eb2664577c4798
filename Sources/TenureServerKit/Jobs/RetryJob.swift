public import TenureCore
public import TenureStore

/// Lets a job that failed for good be tried again, as an operator wishes.
public struct RetryJob: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Retries jobs of a store.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// Makes a failed job due at once, with the whole plan before it; repeating it changes nothing. Answers the
    /// job and whether it has changed; nil when there is none, or no longer. Throws ``ServerError``.
    public func callAsFunction(
        _ id: String, by actor: Actor
    ) async throws(ServerError) -> (job: Job, hasChanged: Bool)? {
        let (now, form) = (clock.now(), Self.form)
        let change = Change(form.asked(.of(id))) { seen -> Saving<(job: Job, hasChanged: Bool)?> in
            guard let job = seen[form.looks] else { return Saving(nil) }
            guard let retried = job.retried(at: now) else { return Saving((job, false)) }
            return Saving((retried, true), job.saves(retried, at: now) + job.event(.jobRetried, at: now, by: actor))
        }
        return try await asking { () async throws(StoreError) in try await store.perform(change) }
    }

    private static let form = LoadForm { ask in ask.row(Job.table.key) }
}
