import Synchronization
import TenureCore
public import TenureStore
import TenureThreads

/// Tells the runners of all kinds whether any job is due, with one query every two seconds for all of them.
///
/// Without it, an idle server would run a query for each kind every second.
public final class EarliestJob: Sendable {
    private struct State {
        var readAt: SteadyTime?
        /// The number of reads that have begun.
        var reads = 0
        var outcome: Result<Timestamp?, StoreError> = .success(nil)
    }

    private let store: any Store
    private let state = Mutex(State())

    /// Creates the object for the runners on a store.
    public init(in store: any Store) { self.store = store }

    /// Whether a job of some kind was due at the last read, which is at most two seconds old.
    ///
    /// Throws the error of that read. While a due job waits for a slot, the runners of all kinds look for their own.
    func isDue(at now: Timestamp) async throws(StoreError) -> Bool {
        if let read = beginRead() {
            let outcome = await earliest()
            state.withLock { state in
                // A slow read must not replace a later one.
                if state.reads == read { state.outcome = outcome }
            }
        }
        return try state.withLock { $0.outcome }.get().map { $0 <= now } ?? false
    }

    /// Returns the number of a new read if this caller should read; the others use the former outcome meanwhile.
    private func beginRead() -> Int? {
        state.withLock { state in
            let now = SteadyTime.now()
            if let readAt = state.readAt, now < readAt.advanced(by: Self.interval) { return nil }
            state.readAt = now
            state.reads += 1
            return state.reads
        }
    }

    private func earliest() async -> Result<Timestamp?, StoreError> {
        do throws(StoreError) {
            let results = try await store.fetch(Self.plan.bind(()))
            let first = [results[Self.plan.queries.running], results[Self.plan.queries.waiting]]
            return .success(first.compactMap { $0?.dueAt }.min())
        } catch {
            return .failure(error)
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
