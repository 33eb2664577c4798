import TenureCore
import TenureStore

/// What a server sees of the jobs of one kind before it starts some.
struct DueJobs: Sendable {
    /// Those under way, also those whose servers were given up.
    let running: [Job]
    /// Those to start, in this order: those whose servers were given up, then those that wait.
    let due: [Job]

    /// Reads them: the first ones that are due and, where these are many, the first ones of other tenants, so that nobody's
    /// backlog hides another tenant's jobs.
    static func read(
        _ kind: String, by rules: JobRules, at now: Timestamp, in store: any Store
    ) async throws(StoreError) -> DueJobs {
        let seen = try await store.look(form.asked(.of(kind), .of(kind)))
        let running = seen[form.looks.running]
        var waiting = seen[form.looks.waiting].filter { $0.dueAt <= now }
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

    /// Holds of jobs that are due and of none of these tenants. A column has no comparison for "is not", so the tenants'
    /// names are what lies between them.
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

    private static let form = LoadForm { ask in
        (
            running: ask.rows(Job.ofKind, upTo: JobRules.most, .request, .constant(Job.State.running)),
            waiting: ask.rows(Job.ofKind, upTo: page, .request, .constant(Job.State.waiting))
        )
    }
}
