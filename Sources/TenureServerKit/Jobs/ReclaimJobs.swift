import TenureCore
public import TenureStore

/// Gives up the server that had jobs under way, where there can be no other: one that begins on a folder that only one
/// server has finds its former self's jobs, and goes on with them at once.
public struct ReclaimJobs: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Reclaims jobs of a store.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// Makes the jobs due that are under way, 1000 at most. Throws ``ServerError``.
    public func callAsFunction() async throws(ServerError) {
        let (now, form) = (clock.now(), Self.form)
        let running = try await asking { () async throws(StoreError) in try await store.jobs([.running], limit: 1000) }
        if running.isEmpty { return }
        let change = Change(form.asked(lists: [running.map { .of($0.id) }])) { seen -> Saving<Void> in
            Saving(
                (),
                seen[form.looks].filter { $0.state == .running && $0.dueAt > now }.map { job in
                    var due = job
                    due.dueAt = now
                    return .replace(job, by: due)
                })
        }
        try await asking { () async throws(StoreError) in try await store.perform(change) }
    }

    private static let form = LoadForm { ask in ask.each(Job.table.key) }
}
