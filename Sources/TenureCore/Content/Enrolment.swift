/// A holder's right to a course or to one content: what licenses hang on.
public struct Enrolment: Sendable, Hashable, Numbered {
    /// Enrolments are written `enr_` and 13 digits.
    public static let namePrefix = "enr_"

    /// To what it is a right.
    public enum Scope: Sendable, Hashable, CustomStringConvertible {
        /// All contents that the course has today.
        case course(CourseID)
        /// One content.
        case content(ContentID)

        /// `course:ID` or `content:ID`.
        public var description: String {
            switch self {
            case .course(let course): "course:\(course)"
            case .content(let content): "content:\(content)"
            }
        }
    }

    /// Where it stands by acts alone; that it has not begun, or is over by date, is a reason and not a state.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Nothing stops it.
        case open
        /// No new licenses and no renewals; devices keep what they have.
        case paused
        /// It is over, finally.
        case ended
    }

    /// Its name.
    public let id: EnrolmentID
    /// Whose content.
    public let tenant: TenantID
    /// Whose right; opaque text.
    public let holder: String
    /// To what.
    public let scope: Scope
    /// The policy of its licenses; nil for the course's, or the content's.
    public internal(set) var policy: ContentPolicyID?
    /// The first moment it holds; nil for at once.
    public internal(set) var startsAt: Timestamp?
    /// The first moment it no longer does; nil when it has no end.
    public internal(set) var endsAt: Timestamp?
    /// What the vendor calls it; unique where it is given.
    public let reference: String?
    /// When it was made.
    public let madeAt: Timestamp
    /// The state as recorded.
    public internal(set) var state: State
    /// When it was ended by an act; nil otherwise.
    public internal(set) var endedAt: Timestamp?

    /// Puts an enrolment together from what a store holds. It decides nothing.
    public init(
        id: EnrolmentID, tenant: TenantID, holder: String, scope: Scope, policy: ContentPolicyID? = nil,
        startsAt: Timestamp? = nil, endsAt: Timestamp? = nil, reference: String? = nil, madeAt: Timestamp,
        state: State = .open, endedAt: Timestamp? = nil
    ) {
        self.id = id
        self.tenant = tenant
        self.holder = holder
        self.scope = scope
        self.policy = policy
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.reference = reference
        self.madeAt = madeAt
        self.state = state
        self.endedAt = endedAt
    }
}

/// Names an enrolment.
public typealias EnrolmentID = NumberedID<Enrolment>

extension Enrolment {
    /// Why nothing is given under it now; nil when something is.
    public func obstacle(at now: Timestamp) -> Reason? {
        switch state {
        case .ended: return .enrolmentEnded(self, at: endedAt)
        case .paused: return .enrolmentPaused(self)
        case .open: break
        }
        if let startsAt, now < startsAt { return .enrolmentNotStarted(self, at: startsAt) }
        if let endsAt, now >= endsAt { return .enrolmentEnded(self, at: endsAt) }
        return nil
    }

    func event(
        _ kind: EventKind, by actor: Actor, at now: Timestamp, _ facts: [Reason.Evidence] = []
    ) -> Event {
        Event(
            kind, at: now, actor: actor, about: .init(tenant: tenant, enrolment: id),
            facts: [.init("holder", .text(holder))] + facts)
    }
}

extension Reason {
    /// No enrolment of the holder covers the content.
    public static let enrolmentUnknown = Reason(.enrolmentUnknown)

    static func enrolmentPaused(_ enrolment: Enrolment) -> Reason {
        Reason(.enrolmentPaused, evidence: [Evidence("enrolment", .text(enrolment.id.description))])
    }

    static func enrolmentEnded(_ enrolment: Enrolment, at moment: Timestamp?) -> Reason {
        Reason(
            .enrolmentEnded, message: moment.map { "The enrolment ended on \($0)." },
            evidence: [Evidence("enrolment", .text(enrolment.id.description))]
                + (moment.map { [Evidence("endedAt", .date($0))] } ?? []))
    }

    static func enrolmentNotStarted(_ enrolment: Enrolment, at moment: Timestamp) -> Reason {
        Reason(
            .enrolmentNotStarted, message: "The enrolment begins on \(moment).",
            evidence: [
                Evidence("enrolment", .text(enrolment.id.description)), Evidence("startsAt", .date(moment)),
            ], changesAt: moment)
    }
}
