/// The states in which use is stopped, and the rules for moving between states.
///
/// Every kind of license uses the same rules with its own reasons: a stopped state has a reason, and a final state
/// can't be left. Expiry isn't part of the chart: only explicit acts, such as a suspension, change a recorded state.
/// Each kind of license derives expiry separately.
public struct StateChart<State: Hashable & Sendable>: Sendable {
    /// A state in which use is stopped.
    public struct Stop: Sendable {
        let state: State
        let reason: Reason
        let isFinal: Bool

        /// A stop that an act can undo.
        public static func reversible(_ state: State, _ reason: Reason) -> Stop {
            Stop(state: state, reason: reason, isFinal: false)
        }

        /// A stop that can't be undone.
        public static func final(_ state: State, _ reason: Reason) -> Stop {
            Stop(state: state, reason: reason, isFinal: true)
        }
    }

    /// The result of applying an act to a state.
    public enum Step: Sendable, Hashable {
        /// The act changes the state.
        case moves
        /// Nothing changes, because the record is already as requested, or because the act doesn't apply to its state.
        case stays
        /// The act isn't allowed in this state, for the reasons of the refusal.
        case refused(Refusal)
    }

    private let stops: [Stop]
    // Stored in addition to `stops`, because every read of a license checks these sets and needs no reasons.
    private let stopped: Set<State>
    private let finals: Set<State>

    /// Creates a chart; every state without a stop is open.
    public init(_ stops: Stop...) {
        self.stops = stops
        stopped = Set(stops.map(\.state))
        finals = Set(stops.filter(\.isFinal).map(\.state))
    }

    /// Whether the state doesn't stop use.
    public func isOpen(_ state: State) -> Bool { !stopped.contains(state) }

    /// Whether the state can't be left.
    public func isFinal(_ state: State) -> Bool { finals.contains(state) }

    /// Why use is stopped in this state; `nil` if the state is open.
    public func stop(in state: State) -> Reason? { isOpen(state) ? nil : reason(forStopIn: state) }

    /// It's a separate function because looking up its generic types takes time, and most licenses aren't stopped.
    @inline(never)
    private func reason(forStopIn state: State) -> Reason? { stops.first { $0.state == state }?.reason }

    /// Why the state can't be left; `nil` if it can.
    public func end(in state: State) -> Refusal? { isFinal(state) ? stop(in: state).map { Refusal($0) } : nil }

    /// Decides whether an act moves a record from one state to another.
    ///
    /// - Parameter one: The only state that the act applies to, or `nil` for all. The act leaves every other state
    ///   unchanged.
    public func step(from state: State, to other: State, onlyOutOf one: State? = nil) -> Step {
        if state == other { return .stays }
        if let refusal = end(in: state) { return .refused(refusal) }
        return one == nil || state == one ? .moves : .stays
    }
}
