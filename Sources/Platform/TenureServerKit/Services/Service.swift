public import TenureStore

/// Background work that a ``Supervisor`` runs piece by piece.
public protocol Service: Sendable {
    /// The service's name in the log, in `/metrics` and for operators, such as `expiry_sweep`.
    var name: String { get }

    /// The role that only one of the servers on a store has at a time; `nil` if every server runs the service.
    var role: Role? { get }

    /// The log event for a failed turn; by default, the service's name and `_failed`.
    var alarm: String { get }

    /// The longest pause after failed turns; a minute by default.
    var longestPause: Duration { get }

    /// Does one short piece of the work and returns when the next one is due.
    ///
    /// If it throws, the supervisor logs the error and tries again after an increasing pause.
    ///
    /// - Parameter leader: The term in which this server has the service's role. Changes must check it, because the
    ///   server may lose the role meanwhile. `nil` for a service without a role.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn

    /// Does what remains to be done after the last turn.
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
