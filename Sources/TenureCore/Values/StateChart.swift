/// Where something that was granted can stand, and what acts make of that. Every family moves by the same rules and
/// refuses in words of its own: what is stopped says why, and nothing leads out of a final stop.
///
/// Time is not in it: what is recorded moves by acts alone, and each family says what time makes of it.
public struct StateChart<State: Hashable & Sendable>: Sendable {
    /// A state in which use is stopped.
    public struct Stop: Sendable {
        let state: State
        let reason: Reason
        let isFinal: Bool

        /// A stop that an act can end.
        public static func reversible(_ state: State, _ reason: Reason) -> Stop {
            Stop(state: state, reason: reason, isFinal: false)
        }

        /// A stop for good.
        public static func final(_ state: State, _ reason: Reason) -> Stop {
            Stop(state: state, reason: reason, isFinal: true)
        }
    }

    /// What an act comes to.
    public enum Step: Sendable, Hashable {
        /// It leads to another state.
        case moves
        /// Everything is as it was asked to be.
        case stays
        /// The law says no.
        case refused(Refusal)
    }

    private let stops: [Stop]
    // Asked of every license that is looked at, so without touching the reasons.
    private let stopped: [State]
    private let finals: [State]

    /// A chart in which all states that are not named are open: only time stands between them and use.
    public init(_ stops: Stop...) {
        self.stops = stops
        stopped = stops.map(\.state)
        finals = stops.filter(\.isFinal).map(\.state)
    }

    /// Whether nothing in a state stops use.
    public func isOpen(_ state: State) -> Bool { !stopped.contains(state) }

    /// Whether nothing leads out of a state.
    public func isFinal(_ state: State) -> Bool { finals.contains(state) }

    /// Why a state stops use; nil for an open one.
    public func stop(in state: State) -> Reason? {
        isOpen(state) ? nil : stops.first { $0.state == state }?.reason
    }

    /// Why nothing leads out of a state; nil where something does.
    public func end(in state: State) -> Refusal? { isFinal(state) ? stop(in: state).map { Refusal($0) } : nil }

    /// What an act comes to that leads to a state.
    /// - Parameter one: The only state that it ends, if it is for one alone: to what is in another it says nothing.
    public func step(from state: State, to other: State, onlyOutOf one: State? = nil) -> Step {
        if state == other { return .stays }
        if let refusal = end(in: state) { return .refused(refusal) }
        return one == nil || state == one ? .moves : .stays
    }
}
