/// How far an enrolment is extended.
public enum EnrolmentExtension: Sendable, Hashable {
    /// Up to a moment, the first at which it no longer holds.
    case until(Timestamp)
    /// So many days of 86,400 s, from its end; from now where it has none, or it has passed.
    case days(Int)
}

/// What becomes of the licenses of an enrolment that is ended.
public enum EndedLicenses: String, Sendable, Hashable, CaseIterable {
    /// Devices keep what they have, until its limits end it.
    case keep
    /// They are revoked: a refund.
    case revoke
    /// They are deleted from their devices.
    case delete
}

/// What an edit of an enrolment sets; nil in the outer optional leaves as it is.
public struct EnrolmentEdit: Sendable, Hashable {
    /// The policy; nil for the course's, or the content's.
    public var policy: ContentPolicyID??
    /// The first moment it holds; nil for at once.
    public var startsAt: Timestamp??
    /// The first moment it no longer does; nil for none.
    public var endsAt: Timestamp??

    /// Makes an edit.
    public init(policy: ContentPolicyID?? = .none, startsAt: Timestamp?? = .none, endsAt: Timestamp?? = .none) {
        self.policy = policy
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}

extension Enrolment {
    /// The event that records a new enrolment.
    public func added(by actor: Actor, at now: Timestamp) -> ContentConsequences {
        ContentConsequences(
            enrolment: self,
            events: [
                event(
                    .enrolmentAdded, by: actor, at: now,
                    [.init("scope", .text(scope.description)), .init("endsAt", Self.orNever(endsAt))])
            ])
    }

    /// Decides on a pause: no new licenses and no renewals, and nothing is taken from devices. An ended one refuses.
    public func pause(by actor: Actor, at now: Timestamp) -> Decision<ContentConsequences> {
        move(to: .paused, .enrolmentPaused, by: actor, at: now)
    }

    /// Decides on the end of a pause; one that is not paused stays as it is, an ended one refuses.
    public func resume(by actor: Actor, at now: Timestamp) -> Decision<ContentConsequences> {
        move(to: .open, onlyOutOf: .paused, .enrolmentResumed, by: actor, at: now)
    }

    /// Decides on a later end; it reaches devices at their next renewal. An ended enrolment refuses, and an end that is
    /// not later than the present one and now.
    public func extend(
        _ length: EnrolmentExtension, by actor: Actor, at now: Timestamp
    ) -> Decision<ContentConsequences> {
        if let refusal = chart.end(in: state) { return .refused(refusal) }
        let end: Timestamp =
            switch length {
            case .until(let moment): moment
            case .days(let days): max(endsAt ?? now, now).adding(days: days)
            }
        if end == endsAt { return .granted(.none) }
        guard end > endsAt ?? now, end > now else {
            return .refused(Refusal(.extensionNotLater(endsAt ?? now, proposed: end)))
        }
        var enrolment = self
        enrolment.endsAt = end
        let facts: [Reason.Evidence] = [
            .init("previousEnd", Self.orNever(endsAt)), .init("endsAt", .date(end)),
        ]
        return .granted(changed(enrolment, .enrolmentExtended, by: actor, at: now, facts))
    }

    /// Decides on an edit of dates and policy, as an import makes; what is as it was asked to be changes nothing, and an
    /// ended enrolment refuses what would change it.
    public func edit(_ edit: EnrolmentEdit, by actor: Actor, at now: Timestamp) -> Decision<ContentConsequences> {
        var enrolment = self
        var facts: [Reason.Evidence] = []
        if let startsAt = edit.startsAt, startsAt != self.startsAt {
            enrolment.startsAt = startsAt
            facts.append(.init("startsAt", Self.orNever(startsAt)))
        }
        if let endsAt = edit.endsAt, endsAt != self.endsAt {
            enrolment.endsAt = endsAt
            facts.append(.init("endsAt", Self.orNever(endsAt)))
        }
        if let policy = edit.policy, policy != self.policy {
            enrolment.policy = policy
            facts.append(.init("policy", .text(policy?.text ?? "")))
        }
        if facts.isEmpty { return .granted(.none) }
        if let refusal = chart.end(in: state) { return .refused(refusal) }
        return .granted(changed(enrolment, .enrolmentChanged, by: actor, at: now, facts))
    }

    /// Decides on a row of an import: what it names is added, or edited where its reference is known. The same row again
    /// changes nothing. Refused where the reference is another holder's, or names another course or content.
    /// - Parameter known: The enrolment of that reference; nil when there is none, or the row has none.
    public static func importing(
        _ row: Enrolment, over known: Enrolment?, by actor: Actor, at now: Timestamp
    ) -> Decision<ContentConsequences> {
        guard let known else { return .granted(row.added(by: actor, at: now)) }
        guard known.holder == row.holder, known.scope == row.scope else {
            return .refused(Refusal(.referenceTaken(row.reference ?? "")))
        }
        let edit = EnrolmentEdit(policy: row.policy, startsAt: row.startsAt, endsAt: row.endsAt)
        return known.edit(edit, by: actor, at: now)
    }

    /// Decides on its end, finally. Repeated, it changes nothing but licenses that were kept before.
    ///
    /// Answers also how long devices may still play what they have without asking.
    /// - Parameter licenses: The licenses that hang on it.
    public func end(
        _ fate: EndedLicenses, _ licenses: [ContentLicense], by actor: Actor, at now: Timestamp
    ) -> (ContentConsequences, playable: PlayableReach) {
        var consequences = ContentConsequences.none
        if state != .ended {
            var enrolment = self
            enrolment.state = .ended
            enrolment.endedAt = now
            consequences = changed(
                enrolment, .enrolmentEnded, by: actor, at: now, [.init("licenses", .text(fate.rawValue))])
        }
        let act: ContentAct? =
            switch fate {
            case .keep: nil
            case .revoke: .revoke
            case .delete: .delete
            }
        for license in licenses where license.enrolment == id {
            guard let act, let change = license.perform(act, by: actor, at: now).outcome else { continue }
            consequences.licenses += change.licenses
            consequences.events += change.events
        }
        let reach = licenses.filter { $0.enrolment == id && $0.stop == nil }.map(\.reach)
            .filter { $0.moment.map { $0 > now } ?? true }.reduce(PlayableReach.nothing) { $0.orLonger($1) }
        return (consequences, reach)
    }

    private func move(
        to state: State, onlyOutOf one: State? = nil, _ kind: EventKind, by actor: Actor, at now: Timestamp
    ) -> Decision<ContentConsequences> {
        switch chart.step(from: self.state, to: state, onlyOutOf: one) {
        case .stays: return .granted(.none)
        case .refused(let refusal): return .refused(refusal)
        case .moves: break
        }
        var enrolment = self
        enrolment.state = state
        return .granted(changed(enrolment, kind, by: actor, at: now))
    }

    private func changed(
        _ enrolment: Enrolment, _ kind: EventKind, by actor: Actor, at now: Timestamp, _ facts: [Reason.Evidence] = []
    ) -> ContentConsequences {
        ContentConsequences(enrolment: enrolment, events: [event(kind, by: actor, at: now, facts)])
    }

    /// How acts move it, and in which words it refuses.
    private var chart: StateChart<State> {
        StateChart(.final(.ended, .enrolmentEnded(self, at: endedAt)), .reversible(.paused, .enrolmentPaused(self)))
    }

    private static func orNever(_ moment: Timestamp?) -> Reason.Evidence.Value {
        moment.map { .date($0) } ?? .text("never")
    }
}

extension Reason {
    /// Another enrolment has the reference: one of another holder, or to something else.
    public static func referenceTaken(_ reference: String) -> Reason {
        Reason(.referenceTaken, evidence: [Evidence("reference", .text(reference))])
    }

    fileprivate static func extensionNotLater(_ end: Timestamp, proposed: Timestamp) -> Reason {
        Reason(
            .extensionNotLater,
            message: "The new end, \(proposed), is not later than the present one, \(end), and now.",
            evidence: [Evidence("endsAt", .date(end)), Evidence("proposedEnd", .date(proposed))])
    }
}
