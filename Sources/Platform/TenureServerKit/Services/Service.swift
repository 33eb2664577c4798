public import TenureStore

/// Background work that a ``Supervisor`` runs in short turns.
public protocol Service: Sendable {
    /// The service's name in the log, in `/metrics` and for operators, such as `expiry_sweep`.
    var name: String { get }

    /// The role that only one of the store's servers has at a time; `nil` if every server runs the service.
    var role: Role? { get }

    /// The name of the log event for a failed turn. The default is the service's name and `_failed`.
    var alarm: String { get }

    /// The longest pause after failed turns. The default is a minute.
    var longestPause: Duration { get }

    /// Does a short piece of the work, and returns when the next turn is due.
    ///
    /// If a turn throws, the supervisor logs the error and tries again after a pause, which grows with each failure.
    ///
    /// - Parameter leader: The term in which this server has the service's role; `nil` for a service without a role.
    ///   Changes must check the term, because the server may lose the role in the meantime.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn

    /// Does the remaining work after the last turn, when the server stops.
    func finish() async throws(ServerError)
}

/// The time of a service's next turn.
public enum NextTurn: Sendable, Hashable {
    /// Immediately, because more work is left.
    case atOnce
    /// After a pause of at most this length, because the pauses of several services end together.
    case after(Duration)
}

extension Service {
    /// The default, `nil`: every server runs the service.
    public var role: Role? { nil }

    /// The default: the service's name and `_failed`.
    public var alarm: String { "\(name)_failed" }

    /// The default: a minute.
    public var longestPause: Duration { .seconds(60) }

    /// The default: does nothing.
    public func finish() async throws(ServerError) {}
}
