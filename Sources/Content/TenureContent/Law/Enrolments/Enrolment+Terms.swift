public import TenureCore

extension Enrolment {
    /// What a vendor says of an enrolment: set when it is added, and changed when its reference is imported again.
    public struct Terms: Sendable, Hashable {
        /// The policy of its licenses; `nil` for the course's or the item's.
        public var policy: ContentPolicyID?
        /// The first second at which it is valid; `nil` if it is valid at once.
        public var startsAt: Timestamp?
        /// The first second at which it is no longer valid; `nil` if it has no end.
        public var endsAt: Timestamp?

        /// Creates terms from their parts.
        public init(policy: ContentPolicyID? = nil, startsAt: Timestamp? = nil, endsAt: Timestamp? = nil) {
            self.policy = policy
            self.startsAt = startsAt
            self.endsAt = endsAt
        }

        /// Whether the enrolment would never be valid, because it ends before it starts.
        public var isEmpty: Bool {
            guard let startsAt, let endsAt else { return false }
            return endsAt <= startsAt
        }
    }
}

extension Enrolment.Terms {
    /// What the enrolment's history records of a change from other terms; empty if they are equal.
    func changes(from old: Self) -> [Reason.Evidence] {
        var changes: [Reason.Evidence] = []
        if startsAt != old.startsAt { changes.append(.init("startsAt", startsAt.orNever)) }
        if endsAt != old.endsAt { changes.append(.init("endsAt", endsAt.orNever)) }
        if policy != old.policy { changes.append(.init("policy", .text(policy?.text ?? ""))) }
        return changes
    }
}

extension Timestamp? {
    /// The time, or the text `never`.
    var orNever: Reason.Evidence.Value { map { .date($0) } ?? .text("never") }
}
