public import TenureCore

/// A holder's right to a course or to a content item; content licenses are issued under it.
public struct Enrolment: Sendable, Hashable {
    /// The course or content item that an enrolment gives a right to.
    public enum Scope: Sendable, Hashable, CustomStringConvertible {
        /// All current items of a course.
        case course(CourseID)
        /// One content item.
        case content(ContentID)

        /// The text `course:ID` or `content:ID`.
        public var description: String {
            switch self {
            case .course(let course): "course:\(course)"
            case .content(let content): "content:\(content)"
            }
        }
    }

    /// The state that acts have set. Dates don't change it: they appear as reasons instead.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Not paused or ended by an act; its dates may still prevent licenses.
        case open
        /// No licenses are issued or renewed; devices keep their licenses.
        case paused
        /// Ended by an act; it never allows licenses again.
        case ended
    }

    /// The id that licenses and grants refer to.
    public let id: EnrolmentID
    /// The tenant that owns the content.
    public let tenant: TenantID
    /// The vendor's id for the enrolled person, as opaque text.
    public let holder: String
    /// The course or content item that the enrolment gives a right to.
    public let scope: Scope
    /// The policy and the dates, which the vendor sets.
    public internal(set) var terms: Terms
    /// The vendor's own id for the enrolment; unique if present.
    public let reference: String?
    /// When the enrolment was created.
    public let madeAt: Timestamp
    /// The state that acts have set; see ``obstacle(at:)`` for the effect of dates.
    public internal(set) var state: State
    /// When an act ended the enrolment; otherwise `nil`.
    public internal(set) var endedAt: Timestamp?

    /// Creates an enrolment from a stored record without checking any rule.
    public init(
        id: EnrolmentID, tenant: TenantID, holder: String, scope: Scope,
        terms: Terms = Terms(), reference: String? = nil, madeAt: Timestamp, state: State = .open,
        endedAt: Timestamp? = nil
    ) {
        self.id = id
        self.tenant = tenant
        self.holder = holder
        self.scope = scope
        self.terms = terms
        self.reference = reference
        self.madeAt = madeAt
        self.state = state
        self.endedAt = endedAt
    }

    /// The policy of the enrolment's licenses; `nil` to use the course's or the item's.
    public var policy: ContentPolicyID? { terms.policy }
    /// The first second at which the enrolment is valid; `nil` if it is valid at once.
    public var startsAt: Timestamp? { terms.startsAt }
    /// The first second at which the enrolment is no longer valid; `nil` if it has no end.
    public var endsAt: Timestamp? { terms.endsAt }
}

extension Enrolment {
    /// Why no license can be issued or renewed under the enrolment now; `nil` if one can.
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
        Event(kind, at: now, actor: actor, about: .init(tenant: tenant, enrolment: id), facts: facts)
    }
}

extension Reason {
    /// The holder has no enrolment that covers the content.
    public static let enrolmentUnknown = Reason(.enrolmentUnknown)

    static func enrolmentPaused(_ enrolment: Enrolment) -> Reason {
        Reason(.enrolmentPaused, evidence: [Evidence("enrolment", .text(enrolment.id.description))])
    }

    static func enrolmentEnded(_ enrolment: Enrolment, at time: Timestamp?) -> Reason {
        Reason(
            .enrolmentEnded, message: time.map { "The enrolment ended on \($0)." },
            evidence: [Evidence("enrolment", .text(enrolment.id.description))]
                + (time.map { [Evidence("endedAt", .date($0))] } ?? []))
    }

    static func enrolmentNotStarted(_ enrolment: Enrolment, at time: Timestamp) -> Reason {
        Reason(
            .enrolmentNotStarted, message: "The enrolment starts on \(time).",
            evidence: [
                Evidence("enrolment", .text(enrolment.id.description)), Evidence("startsAt", .date(time)),
            ], changesAt: time)
    }
}

extension Enrolment {
    /// The state of an enrolment at one time, by its acts and its dates, as lists show it.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// Licenses are issued and renewed.
        case open
        /// Paused by an action, even before it starts; ``ended`` takes precedence, because resuming doesn't reopen an
        /// ended enrolment.
        case paused
        /// The enrolment hasn't started yet.
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
