import Synchronization
package import TenureStore
package import TenureThreads

/// Tells whether the store accepts writes, from the outcomes of the clock mark's writes, which happen every six
/// seconds.
///
/// Reads may work while writes don't: on a standby, on a full disk, or while a synchronous standby is unavailable.
package final class WriteProbe: Sendable {
    /// The servers that are affected by a failure to write.
    package enum Scope: String, Sendable {
        /// Only this server can't write; another server may be able to.
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
    /// If the write was refused because too many others were waiting, that says nothing about the store, so the
    /// earlier outcome stays.
    package func end(_ failure: StoreError? = nil) {
        state.withLock { state in
            state.startedAt = nil
            if failure.map({ $0.code == .busy && $0.cause == nil }) != true { state.failure = failure }
        }
    }

    /// The error that prevents writes; `nil` if the last write succeeded and no write has been running for over five
    /// seconds.
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
    /// The servers that are affected by the failure to write.
    package var scope: WriteProbe.Scope {
        [.busy, .full, .readOnly, .unconfirmed].contains(code) ? .store : .server
    }
}
