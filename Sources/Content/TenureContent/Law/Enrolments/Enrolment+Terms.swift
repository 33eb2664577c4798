public import TenureCore

extension Enrolment {
    /// The part of an enrolment that a vendor sets when it is added, and changes by importing it again.
    public struct Terms: Sendable, Hashable {
        /// The policy of the enrolment's licenses; `nil` to use the course's or the item's.
        public var policy: ContentPolicyID?
        /// The first second at which the enrolment is valid; `nil` if it is valid at once.
        public var startsAt: Timestamp?
        /// The first second at which the enrolment is no longer valid; `nil` if it has no end.
        public var endsAt: Timestamp?

        /// Creates terms with these values, which aren't checked; see ``isEmpty``.
        public init(policy: ContentPolicyID? = nil, startsAt: Timestamp? = nil, endsAt: Timestamp? = nil) {
            self.policy = policy
            self.startsAt = startsAt
            self.endsAt = endsAt
        }

        /// Whether the enrolment would never be valid, because it doesn't end after its start.
        public var isEmpty: Bool {
            guard let startsAt, let endsAt else { return false }
            return endsAt <= startsAt
        }
    }
}

extension Enrolment.Terms {
    /// The facts that the event of a change from other terms records; empty if the terms are equal.
    func changes(from old: Self) -> [Reason.Evidence] {
        var changes: [Reason.Evidence] = []
        if startsAt != old.startsAt { changes.append(.init("startsAt", startsAt.orNever)) }
        if endsAt != old.endsAt { changes.append(.init("endsAt", endsAt.orNever)) }
        if policy != old.policy { changes.append(.init("policy", .text(policy?.text ?? ""))) }
        return changes
    }
}

extension Timestamp? {
    /// The time as a fact of an event; the text `never` if it is `nil`.
    var orNever: Reason.Evidence.Value { map { .date($0) } ?? .text("never") }
}
