public import TenureCore

extension Enrolment {
    /// What an enrolment's acts and dates mean together at one time, as lists show it.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// Licenses are issued and renewed.
        case open
        /// Paused by an action, even before it starts; ``ended`` takes precedence, because resuming doesn't change that.
        case paused
        /// It hasn't started yet.
        case notStarted = "not_started"
        /// Ended by an act or by its date.
        case ended
    }

    /// The status at a time.
    public func status(at now: Timestamp) -> Status {
        if state == .ended || endsAt.map({ now >= $0 }) ?? false { return .ended }
        if state == .paused { return .paused }
        return startsAt.map { now < $0 } ?? false ? .notStarted : .open
    }
}
