import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

extension FeatureContext {
    /// Schedules the job that reads a source's list of events. A new job reads only events from now on.
    func scheduleCatchUp(of source: PaymentSource, _ tenant: TenantID) async throws(ServerError) {
        guard let interval = source.catchUpInterval else { return }
        let now = clock.now()
        let next = now.adding(seconds: interval)
        try await changeCatchUp(of: source.id, tenant) { job in
            guard var job else {
                let work = CatchUpWork(source.id, CatchUp(readUntil: now))
                return work.job(of: tenant, at: next)
            }
            // The catalog may have shortened the interval.
            if job.state == .waiting, job.failures == 0 { job.dueAt = min(job.dueAt, next) }
            return job
        }
    }

    /// Makes the job read a source's events since a time again, at once. This removes a recorded gap, because the
    /// operator has seen it.
    func requestCatchUp(of source: PaymentSource, _ tenant: TenantID, since time: Timestamp) async throws(ServerError) {
        let now = clock.now()
        try await changeCatchUp(of: source.id, tenant) { job in
            var work = job.flatMap { CatchUpWork($0) } ?? CatchUpWork(source.id, CatchUp(readUntil: now))
            work.progress = work.progress.requested(since: time)
            guard var job else { return work.job(of: tenant, at: now) }
            job.payload = work.payload
            // If the job is running, it finds the request when it saves its page.
            if job.state != .running { (job.state, job.dueAt, job.failures) = (.waiting, now, 0) }
            return job
        }
    }

    private func changeCatchUp(
        of source: SourceID, _ tenant: TenantID, _ change: @escaping @Sendable (Job?) -> Job
    ) async throws(ServerError) {
        let plan = catchUpPlan
        try await store.perform(
            Transaction(plan.bind(CatchUpWork.jobID(of: source, tenant))) { results in
                let before = results[plan.queries]
                let after = change(before)
                return TransactionResult((), before == after ? [] : [.put(after, over: before)])
            })
    }
}

private let catchUpPlan = QueryPlan(for: String.self) { query in query.row(Job.table.key) { [.of($0)] } }
