import Synchronization
import TenureCore
import TenureThreads

/// Decides when this server may send the next letter.
///
/// At most ten letters per second are sent. After a fault that only the operator can correct, sending pauses for 15
/// minutes.
final class MailGate: Sendable {
    private struct State {
        var next = SteadyTime(nanoseconds: 0)
        var pausedUntil: Timestamp?
        /// The addresses of letters that were refused since a letter was last accepted, at most ``refusalLimit``.
        var refused: Set<String> = []
    }

    private let clock: any SteadyClock
    private let state = Mutex(State())

    init(clock: any SteadyClock = SystemSteadyClock()) { self.clock = clock }

    /// How long sending pauses after a fault that only the operator can correct, in seconds.
    static let pause: Int64 = 15 * 60

    private static let refusalLimit = 3

    /// Whether sending is paused at this time, after a fault that only the operator can correct.
    func isPaused(at now: Timestamp) -> Bool { state.withLock { $0.pausedUntil.map { now < $0 } ?? false } }

    /// Waits until the next letter may be sent.
    func wait() async {
        let now = clock.now()
        let start = state.withLock { state in
            let start = max(state.next, now)
            state.next = start.advanced(by: .milliseconds(100))
            return start
        }
        if start > now { await clock.sleep(until: start) }
    }

    /// Records the outcome of an attempt. Returns whether a refusal of the letter concerns all letters.
    func note(_ outcome: Mail.Outcome, to address: String, at now: Timestamp) -> Bool {
        state.withLock { state in
            switch outcome {
            case .accepted:
                (state.refused, state.pausedUntil) = ([], nil)
                return false
            case .letterRefused:
                if state.refused.count < Self.refusalLimit { state.refused.insert(address) }
                guard state.refused.count == Self.refusalLimit else { return false }
                state.pausedUntil = now.adding(seconds: Self.pause)
                return true
            case .misconfigured:
                state.pausedUntil = now.adding(seconds: Self.pause)
                return false
            case .deferred, .recipientRefused: return false
            }
        }
    }
}
