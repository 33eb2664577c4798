import TenureCore
import TenureStore

/// The running and due jobs of one kind, which a server reads before it starts some of them.
struct DueJobs: Sendable {
    /// The running jobs, including those that exceed the time limit (``Job/Rules/timeout``).
    let running: [Job]
    /// The due jobs in starting order: first running jobs that exceed the time limit, then waiting jobs.
    let due: [Job]

    /// Reads the running jobs and the first due jobs of a kind.
    ///
    /// If a page of due jobs is full, this also reads pages of other tenants' jobs. Otherwise, one tenant's backlog
    /// would hide the jobs of other tenants.
    static func read(
        _ kind: String, by rules: Job.Rules, at now: Timestamp, in store: ServerStore
    ) async throws(ServerError) -> DueJobs {
        let results = try await store.fetch(plan.bind(kind))
        let running = results[plan.queries.running]
        var waiting = results[plan.queries.waiting].filter { $0.dueAt <= now }
        var isFull = waiting.count == page
        for _ in 1..<max(rules.concurrency, 2) where isFull {
            let others = try await store.list(
                Listing(
                    Job.ofKind, [.of(kind), .of(Job.State.waiting)],
                    where: ofOthers(than: Set(waiting.map(\.tenant)), dueBy: now), limit: page))
            waiting += others
            isFull = others.count == page
        }
        return DueJobs(running: running, due: running.filter { $0.dueAt <= now } + waiting)
    }

    /// Returns a filter for due jobs of tenants outside a set.
    ///
    /// Queries have no comparison for "not equal", so the filter consists of the ranges between the tenants' ids.
    private static func ofOthers(than tenants: Set<TenantID?>, dueBy now: Timestamp) -> [[Comparison]] {
        let isDue = Comparison("due_at", .atMost(now.storedValue))
        let names = tenants.compactMap(\.self).sorted()
        var gaps: [[Comparison]] = tenants.contains(nil) ? [] : [[Comparison("tenant", .isNull)]]
        var lower: [Comparison] = [Comparison("tenant", .isNotNull)]
        for name in names {
            gaps.append(lower + [Comparison("tenant", .below(name.storedValue))])
            lower = [Comparison("tenant", .above(name.storedValue))]
        }
        gaps.append(lower)
        return gaps.map { $0 + [isDue] }
    }

    private static let page = 64

    private static let plan = QueryPlan(for: String.self) { query in
        (
            running: query.rows(Job.ofKind, upTo: Job.Rules.most, .request { .of($0) }, .constant(Job.State.running)),
            waiting: query.rows(Job.ofKind, upTo: page, .request { .of($0) }, .constant(Job.State.waiting))
        )
    }
}
