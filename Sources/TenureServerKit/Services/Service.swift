public import TenureStore

/// Long work beside the requests, done piece by piece under a ``Supervisor``.
public protocol Service: Sendable {
    /// Names it in the log, `/metrics` and to operators, such as `expiry_sweep`.
    var name: String { get }

    /// What one server of all on the store does alone; nil for work that each has for itself.
    var role: Role? { get }

    /// Names the log's line about a turn that failed; by default the service's name and `_failed`.
    var alarm: String { get }

    /// The longest pause after turns that failed; a minute by default.
    var longestPause: Duration { get }

    /// Does one bounded piece of the work and says when the next is due.
    ///
    /// What it throws is told, and the turn is asked for again after a while that grows.
    /// - Parameter leader: The term in which this server has the service's role, to fence what it changes by; nil for a
    ///   service without one.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn

    /// Does what must not be left undone, after the last turn.
    func finish() async throws(ServerError)
}

/// When a service's next turn is due.
public enum NextTurn: Sendable, Hashable {
    /// At once: more is left to do.
    case atOnce
    /// After a rest.
    case after(Duration)
}

extension Service {
    /// None: each server works for itself.
    public var role: Role? { nil }

    /// The service's name and `_failed`.
    public var alarm: String { "\(name)_failed" }

    /// A minute.
    public var longestPause: Duration { .seconds(60) }

    /// Leaves nothing undone.
    public func finish() async throws(ServerError) {}
}
