import Synchronization
package import TenureStore
package import TenureThreads

/// Whether the store accepts writes, as the clock's mark shows, which a server writes every five seconds.
///
/// Reads may work while writes don't: on a standby, on a full disk, or while a synchronous standby is unavailable.
package final class WriteProbe: Sendable {
    /// The servers that a failure to write concerns.
    package enum Scope: String, Sendable {
        /// Only this server can't write; another one may.
        case server
        /// The store accepts no writes from any server.
        case store
    }

    private struct State {
        var startedAt: SteadyTime?
        var failure: StoreError?
    }

    private let state = Mutex(State())

    package init() {}

    /// Records that a write has started.
    package func begin(at now: SteadyTime = .now()) { state.withLock { $0.startedAt = now } }

    /// Records the outcome of the write.
    ///
    /// A write that had to wait for too many others says nothing about the store.
    package func end(_ failure: StoreError? = nil) {
        state.withLock { state in
            state.startedAt = nil
            if failure.map({ $0.code == .busy && $0.cause == nil }) != true { state.failure = failure }
        }
    }

    /// Why nothing can be written; `nil` if the last write succeeded and none is waiting for over five seconds.
    package func problem(at now: SteadyTime = .now()) -> StoreError? {
        state.withLock { state in
            if let failure = state.failure { return failure }
            guard let startedAt = state.startedAt, startedAt.advanced(by: Self.limit) <= now else { return nil }
            return StoreError(.busy, "A write to the store has not finished for over five seconds.")
        }
    }

    private static let limit = Duration.seconds(5)
}

extension StoreError {
    /// The servers that the failure to write concerns.
    package var scope: WriteProbe.Scope {
        [.busy, .full, .readOnly, .unconfirmed].contains(code) ? .store : .server
    }
}
