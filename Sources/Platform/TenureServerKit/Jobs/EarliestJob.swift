import Synchronization
import TenureCore
public import TenureStore
import TenureThreads

/// Tells the runners of all kinds whether any job is due, with one query every two seconds for all of them.
///
/// Without it, an idle server would run a query for each kind every second.
public final class EarliestJob: Sendable {
    private struct Look {
        var at: SteadyTime?
        var earliest: Timestamp?
    }

    private let store: any Store
    private let look = Mutex(Look())

    /// Creates the object for the runners on a store.
    public init(in store: any Store) { self.store = store }

    /// Whether a job of some kind was due at the last look, which is at most two seconds old.
    func isDue(at now: Timestamp) async throws(StoreError) -> Bool {
        if isStale() {
            let results = try await store.fetch(Self.plan.bind(()))
            let first = [results[Self.plan.queries.running], results[Self.plan.queries.waiting]]
            let earliest = first.compactMap { $0?.dueAt }.min()
            look.withLock { $0.earliest = earliest }
        }
        return look.withLock { $0.earliest }.map { $0 <= now } ?? false
    }

    /// Whether this caller should look again; the others use the former result meanwhile.
    private func isStale() -> Bool {
        look.withLock { look in
            let now = SteadyTime.now()
            if let at = look.at, now < at.advanced(by: Self.interval) { return false }
            look.at = now
            return true
        }
    }

    private static let interval = Duration.seconds(2)

    private static let plan = QueryPlan(for: Void.self) { query in
        (
            running: query.row(Job.inState, .constant(Job.State.running)),
            waiting: query.row(Job.inState, .constant(Job.State.waiting))
        )
    }
}
