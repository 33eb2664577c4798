import TenureCore
import TenureStore

/// The jobs of one kind that a server reads before it starts some of them.
struct DueJobs: Sendable {
    /// The running jobs, including those whose server took too long.
    let running: [Job]
    /// The jobs to start, in order: running ones whose server took too long, then waiting ones.
    let due: [Job]

    /// Reads the running and the first due jobs of a kind.
    ///
    /// If there are many due jobs, it also reads those of other tenants, so that one tenant's backlog doesn't hide
    /// another's jobs.
    static func read(
        _ kind: String, by rules: Job.Rules, at now: Timestamp, in store: any Store
    ) async throws(StoreError) -> DueJobs {
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

    /// A filter for due jobs of other tenants.
    ///
    /// Comparisons have no "not equal", so the filter consists of the ranges between the tenants' names.
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
