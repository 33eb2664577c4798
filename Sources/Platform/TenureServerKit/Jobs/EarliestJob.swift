import Synchronization
import TenureCore
public import TenureStore
import TenureThreads

/// Tells the runners of all kinds whether any job is due, with one query every two seconds for all runners together.
///
/// Without this, an idle server would run a query for each kind every second.
public final class EarliestJob: Sendable {
    private struct State {
        var readAt: SteadyTime?
        var isReading = false
        /// The runners that wait for the read in progress.
        var waiting: [CheckedContinuation<Bool, Never>] = []
        var outcome: Result<Timestamp?, ServerError> = .success(nil)
    }

    private let store: ServerStore
    private let state = Mutex(State())

    /// Creates the shared value for the runners on a store.
    public init(in store: any Store) { self.store = ServerStore(store) }

    /// Whether a job of any kind was due at the last read, which is at most two seconds old.
    ///
    /// Throws the error of that read. While a due job waits for a slot, this is `true` for the runners of every kind.
    func isDue(at now: Timestamp) async throws(ServerError) -> Bool {
        if await mayRead() {
            let outcome = await earliest()
            let waiting = state.withLock { state in
                defer { (state.isReading, state.waiting) = (false, []) }
                state.outcome = outcome
                return state.waiting
            }
            for runner in waiting { runner.resume(returning: false) }
        }
        return try state.withLock { $0.outcome }.get().map { $0 <= now } ?? false
    }

    /// Whether this caller should read, because the last read is too old. If another caller is reading, waits and
    /// returns `false`.
    private func mayRead() async -> Bool {
        await withCheckedContinuation { caller in
            let mayRead: Bool? = state.withLock { state in
                if state.isReading {
                    state.waiting.append(caller)
                    return nil
                }
                let now = SteadyTime.now()
                if let readAt = state.readAt, now < readAt.advanced(by: Self.shortestInterval) { return false }
                (state.readAt, state.isReading) = (now, true)
                return true
            }
            if let mayRead { caller.resume(returning: mayRead) }
        }
    }

    private func earliest() async -> Result<Timestamp?, ServerError> {
        do throws(ServerError) {
            let results = try await store.fetch(Self.plan.bind(()))
            let first = [results[Self.plan.queries.running], results[Self.plan.queries.waiting]]
            return .success(first.compactMap { $0?.dueAt }.min())
        } catch {
            return .failure(error)
        }
    }

    /// How often a runner without jobs should call ``isDue(at:)``.
    static let interval = Duration.seconds(2)
    /// Less than ``interval``: otherwise, a runner that wakes up slightly early would skip a read.
    private static let shortestInterval = Duration.milliseconds(1_500)

    private static let plan = QueryPlan(for: Void.self) { query in
        (
            running: query.row(Job.inState, .constant(Job.State.running)),
            waiting: query.row(Job.inState, .constant(Job.State.waiting))
        )
    }
}
