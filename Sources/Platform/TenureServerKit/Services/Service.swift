public import TenureStore

/// Background work, done in pieces under a ``Supervisor``.
public protocol Service: Sendable {
    /// The service's name in the log, in `/metrics` and for operators, such as `expiry_sweep`.
    var name: String { get }

    /// The role that only one server on the store has at a time; `nil` if every server runs the service.
    var role: Role? { get }

    /// The log event for a failed turn; by default, the service's name and `_failed`.
    var alarm: String { get }

    /// The longest pause after failed turns; a minute by default.
    var longestPause: Duration { get }

    /// Does one bounded piece of the work and returns when the next is due.
    ///
    /// An error is logged, and the turn is retried after an increasing pause.
    ///
    /// - Parameter leader: The term in which this server has the service's role, for fencing its changes; `nil` for a
    ///   service without a role.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn

    /// Does the final work after the last turn.
    func finish() async throws(ServerError)
}

/// When a service's next turn is due.
public enum NextTurn: Sendable, Hashable {
    /// Immediately, because more work is left.
    case atOnce
    /// After a pause.
    case after(Duration)
}

extension Service {
    /// `nil`: every server runs the service.
    public var role: Role? { nil }

    /// The service's name and `_failed`.
    public var alarm: String { "\(name)_failed" }

    /// A minute.
    public var longestPause: Duration { .seconds(60) }

    /// Does nothing.
    public func finish() async throws(ServerError) {}
}
