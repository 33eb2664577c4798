public import TenureCore

extension Enrolment {
    /// The new end of an extended enrolment.
    public enum Extension: Sendable, Hashable {
        /// Until this time, the first second at which the enrolment is no longer valid.
        case until(Timestamp)
        /// This many days of 86,400 seconds from the enrolment's end, or from now if that end has passed.
        case days(Int)
    }

    /// What happens to the licenses of an enrolment that is ended.
    public enum EndedLicenses: String, Sendable, Hashable, CaseIterable {
        /// Devices keep their licenses until their limits are reached.
        case keep
        /// The licenses are revoked, as for a refund.
        case revoke
        /// The contents are deleted from the devices.
        case delete
    }

    /// The changes that save this enrolment as a new one and record its event.
    public func added(by actor: Actor, at now: Timestamp) -> ContentLicense.Consequences {
        ContentLicense.Consequences(
            enrolment: self,
            events: [
                event(
                    .enrolmentAdded, by: actor, at: now,
                    [.init("scope", .text(scope.description)), .init("endsAt", endsAt.orNever)])
            ])
    }

    /// Pauses the enrolment; refused if it has been ended.
    ///
    /// No licenses are issued or renewed during a pause, but devices keep their licenses.
    public func pause(by actor: Actor, at now: Timestamp) -> Decision<ContentLicense.Consequences> {
        move(to: .paused, .enrolmentPaused, by: actor, at: now)
    }

    /// Ends a pause; refused if the enrolment has been ended.
    ///
    /// An enrolment that isn't paused stays as it is.
    public func resume(by actor: Actor, at now: Timestamp) -> Decision<ContentLicense.Consequences> {
        move(to: .open, onlyOutOf: .paused, .enrolmentResumed, by: actor, at: now)
    }

    /// Extends the enrolment; refused if it has been ended or never ends. Also refused unless the new end is later than
    /// both the current one and now, and at most ``Timestamp/latest``.
    ///
    /// An end that equals the current one changes nothing. Devices receive the new end with their next renewal.
    public func extend(
        _ length: Enrolment.Extension, by actor: Actor, at now: Timestamp
    ) -> Decision<ContentLicense.Consequences> {
        if let refusal = chart.end(in: state) { return .refused(refusal) }
        guard let endsAt else { return .refused(Refusal(Reason(.enrolmentNeverEnds))) }
        let end: Timestamp =
            switch length {
            case .until(let end): end
            case .days(let days): max(endsAt, now).adding(days: days)
            }
        if end == endsAt { return .granted(.none) }
        guard end > endsAt, end > now else {
            return .refused(Refusal(.extensionNotLater(endsAt, proposed: end)))
        }
        guard end <= .latest else { return .refused(Refusal(.endTooLate)) }
        var enrolment = self
        enrolment.terms.endsAt = end
        let facts: [Reason.Evidence] = [
            .init("previousEnd", .date(endsAt)), .init("endsAt", .date(end)),
        ]
        return .granted(changed(enrolment, .enrolmentExtended, by: actor, at: now, facts))
    }

    /// Sets the enrolment's end to a time in the future, earlier than the current end if there is one.
    ///
    /// The policy and the start stay. An end that equals the current one changes nothing. Refused if the enrolment has
    /// been ended. Also refused unless the new end is after now and the start, before the current end, and at most
    /// ``Timestamp/latest``. Devices receive the new end with their next renewal.
    public func end(at end: Timestamp, by actor: Actor, at now: Timestamp) -> Decision<ContentLicense.Consequences> {
        if let refusal = chart.end(in: state) { return .refused(refusal) }
        if end == endsAt { return .granted(.none) }
        guard end <= .latest else { return .refused(Refusal(.endTooLate)) }
        guard end > now, startsAt.map({ $0 < end }) ?? true, endsAt.map({ end < $0 }) ?? true else {
            return .refused(Refusal(.endNotEarlier(terms, proposed: end)))
        }
        var terms = terms
        terms.endsAt = end
        return edit(terms, by: actor, at: now)
    }

    /// Replaces the enrolment's terms, as an import does.
    ///
    /// If the terms are equal, nothing changes, and the edit is granted. Other terms are refused if the enrolment has
    /// been ended.
    public func edit(_ terms: Terms, by actor: Actor, at now: Timestamp) -> Decision<ContentLicense.Consequences> {
        let facts = terms.changes(from: self.terms)
        if facts.isEmpty { return .granted(.none) }
        if let refusal = chart.end(in: state) { return .refused(refusal) }
        var enrolment = self
        enrolment.terms = terms
        return .granted(changed(enrolment, .enrolmentChanged, by: actor, at: now, facts))
    }

    /// Decides on a row of an import: the enrolment is added, or edited if its reference exists.
    ///
    /// Importing the same row again changes nothing. Refused if the reference belongs to another holder, or to another
    /// course or content item.
    ///
    /// - Parameter existing: The enrolment with the row's reference; `nil` if it doesn't exist or the row has no
    ///   reference.
    public static func importing(
        _ row: Enrolment, over existing: Enrolment?, by actor: Actor, at now: Timestamp
    ) -> Decision<ContentLicense.Consequences> {
        guard let existing else { return .granted(row.added(by: actor, at: now)) }
        guard existing.holder == row.holder, existing.scope == row.scope else {
            return .refused(Refusal(.referenceTaken(row.reference ?? "")))
        }
        return existing.edit(row.terms, by: actor, at: now)
    }

    /// Ends the enrolment for good.
    ///
    /// Ending an enrolment again affects only licenses that were kept the first time. The result includes how long
    /// devices can still play without contacting the server.
    ///
    /// - Parameter licenses: The licenses of the enrolment.
    public func end(
        _ fate: Enrolment.EndedLicenses, _ licenses: [ContentLicense], by actor: Actor, at now: Timestamp
    ) -> (ContentLicense.Consequences, playable: ContentGrant.PlayableReach) {
        var consequences = ContentLicense.Consequences.none
        if state != .ended {
            var enrolment = self
            enrolment.state = .ended
            enrolment.endedAt = now
            consequences = changed(
                enrolment, .enrolmentEnded, by: actor, at: now, [.init("licenses", .text(fate.rawValue))])
        }
        let act: ContentLicense.Act? =
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
        return (consequences, playable(of: licenses, at: now))
    }

    /// For how long devices can still play without contacting the server.
    ///
    /// - Parameter licenses: The licenses of the enrolment.
    public func playable(of licenses: [ContentLicense], at now: Timestamp) -> ContentGrant.PlayableReach {
        licenses.filter { $0.enrolment == id && $0.stop == nil }.map(\.reach)
            .filter { $0.end.map { $0 > now } ?? true }.reduce(.nothing) { $0.orLonger($1) }
    }

    private func move(
        to state: State, onlyOutOf one: State? = nil, _ kind: EventKind, by actor: Actor, at now: Timestamp
    ) -> Decision<ContentLicense.Consequences> {
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
    ) -> ContentLicense.Consequences {
        ContentLicense.Consequences(enrolment: enrolment, events: [event(kind, by: actor, at: now, facts)])
    }

    /// The states other than `open`: ended for good, or paused until the enrolment is resumed, with the reason for a
    /// refusal in each.
    private var chart: StateChart<State> {
        StateChart(.final(.ended, .enrolmentEnded(self, at: endedAt)), .reversible(.paused, .enrolmentPaused(self)))
    }
}

extension Reason {
    /// The reason for refusing a reference that another enrolment has, of another holder or with another scope.
    public static func referenceTaken(_ reference: String) -> Reason {
        Reason(.referenceTaken, evidence: [Evidence("reference", .text(reference))])
    }

    fileprivate static func endNotEarlier(_ terms: Enrolment.Terms, proposed: Timestamp) -> Reason {
        var evidence = [Evidence("proposedEnd", .date(proposed))]
        if let start = terms.startsAt { evidence.append(Evidence("startsAt", .date(start))) }
        if let end = terms.endsAt { evidence.append(Evidence("endsAt", .date(end))) }
        return Reason(.endNotEarlier, evidence: evidence)
    }

    fileprivate static func extensionNotLater(_ end: Timestamp, proposed: Timestamp) -> Reason {
        Reason(
            .extensionNotLater,
            message: "The new end date, \(proposed), must be in the future and later than the current one, \(end).",
            evidence: [Evidence("endsAt", .date(end)), Evidence("proposedEnd", .date(proposed))])
    }
}
