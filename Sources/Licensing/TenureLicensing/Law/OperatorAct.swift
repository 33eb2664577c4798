public import TenureCore

/// What an operator can do with an issued license.
public enum OperatorAct: Sendable, Hashable {
    /// Extends the term.
    case renew(RenewalLength)
    /// Suspends the license until it's reinstated.
    case suspend
    /// Ends a suspension.
    case reinstate
    /// Revokes the license for good.
    case revoke
    /// Returns the license for good on the holder's behalf.
    case giveBack
    /// Changes fields of the license's terms.
    case change([LicenseTerms.FieldChange])
    /// Replaces the key; the derivation of a random key is `nil`.
    case rekey(LicenseKey, derivation: LicenseKey.Derivation? = nil, keeping: KeptDevices)
    /// Passes the license to another holder, with this new key.
    case transfer(LicenseTransfer)
}

extension OperatorAct {
    /// The key that the act gives the license; `nil` if it keeps its key.
    package var newKey: LicenseKey? {
        switch self {
        case .rekey(let key, _, _): key
        case .transfer(let transfer): transfer.key
        case .renew, .suspend, .reinstate, .revoke, .giveBack, .change: nil
        }
    }
}

extension OperatorAct {
    /// Decides on the act; the method for each act says when it is refused.
    ///
    /// - Parameters:
    ///   - reason: Why the operator suspends or revokes the license; other acts ignore it.
    ///   - events: The license's newest events, newest first; needed with a reason, and to suspend it.
    ///   - formerKeys: The license's former keys that devices may still use; needed to replace the key.
    ///   - activations: The license's activations; needed to transfer it.
    public func decide(
        on license: License, because reason: StatedReason? = nil, after events: [Event] = [],
        formerKeys: [FormerKey] = [], activations: [Activation] = [], under policy: Policy, by actor: Actor,
        at now: Timestamp
    ) -> Decision<Consequences> {
        switch self {
        case .renew(let length): license.renew(length, under: policy, by: actor, at: now)
        case .suspend:
            OrderStop.outlasting(license, because: reason, after: events, by: actor, at: now)
                ?? license.suspend(because: reason, after: events, by: actor, at: now)
        case .reinstate: license.reinstate(by: actor, at: now)
        case .revoke: license.revoke(because: reason, after: events, by: actor, at: now)
        case .giveBack: license.giveBack(by: actor, at: now)
        case .change(let changes): license.change(changes, by: actor, at: now)
        case .rekey(let key, let derivation, let devices):
            KeyReplacement(with: key, derivation: derivation, keeping: devices)
                .decide(on: license, after: formerKeys, by: actor, at: now)
        case .transfer(let transfer):
            transfer.decide(on: license, releasing: activations, after: formerKeys, by: actor, at: now)
        }
    }
}

/// How far a renewal extends the term.
public enum RenewalLength: Sendable, Hashable {
    /// The policy's duration; if the policy has none, the license becomes perpetual.
    case policy
    /// This many days of 86,400 seconds.
    case days(Int)
    /// Until this time, the first second after the new term.
    case until(Timestamp)
}

extension Policy {
    /// Whether the renewal would make a license perpetual that has an end or an unstarted term with a length.
    package func makesPerpetual(_ license: License, renewedBy length: RenewalLength) -> Bool {
        length == .policy && duration == nil && (license.term.end != nil || license.terms.unstarted != nil)
            && !license.recordedState.isFinal
    }
}

extension License {
    /// Extends the term.
    ///
    /// A running term is extended from its end, so an early renewal loses nothing. Its months are counted from its
    /// start. An expired license gets a new term that starts now. A term that hasn't started gets longer, unless the
    /// new end is a date: then it starts now. A suspended license is renewed but stays suspended, so that a payment
    /// during the suspension isn't lost.
    ///
    /// Refused if the license is perpetual, revoked or returned, and if the new end isn't later or is later than
    /// ``Timestamp/latest``.
    public func renew(
        _ length: RenewalLength, under policy: Policy, by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        if let refusal = Self.chart.end(in: recordedState) { return .refused(refusal) }
        var license = self
        license.terms = terms.settled(at: now)
        if let unstarted = license.terms.unstarted {
            return license.lengthen(unstarted, by: length, under: policy, by: actor, at: now)
        }
        guard let end = term.end else { return .refused(Refusal(.termPerpetual)) }
        let base = max(end, now)
        let running = now >= end ? Term.perpetual(from: now) : term
        let newEnd: Timestamp? =
            switch length {
            case .policy: policy.duration.map { running.end(adding: $0, to: base) }
            case .days(let days): base.adding(days: days)
            case .until(let time): time
            }
        if let newEnd, newEnd <= base { return .refused(Refusal(.renewalNotLater(end: end, proposed: newEnd))) }
        if let newEnd, newEnd > .latest { return .refused(Refusal(.endTooLate)) }
        guard let term = Term(start: running.start, end: newEnd) else {
            return .refused(Refusal(.renewalNotLater(end: end, proposed: base)))
        }
        license.terms.term = term
        if license.recordedState.isOpen { license.recordedState = openState }
        return .granted(
            recording(
                .licenseRenewed, license, by: actor, at: now, [.init("previousEnd", .date(end)), .newEnd(newEnd)])
        )
    }

    /// Renews a license whose term hasn't started by lengthening the term.
    private func lengthen(
        _ previous: TermLength, by length: RenewalLength, under policy: Policy, by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        var license = self
        let longer: TermLength?
        switch length {
        case .policy: longer = policy.duration.map { previous.adding($0) }
        case .days(let days): longer = TermLength(days: min(days, TermLength.mostDays)).map { previous.adding($0) }
        case .until: longer = nil
        }
        if let longer {
            let start = license.terms.startBy
            if (start ?? now).adding(longer) > .latest { return .refused(Refusal(.endTooLate)) }
            license.terms.term = start.map { Term(start: $0, lasting: longer) } ?? term
            license.terms.unstarted = longer
        } else {
            let end: Timestamp? =
                switch length {
                case .policy: nil
                case .days(let days): now.adding(days: days)
                case .until(let time): time
                }
            // If activated now, the license would get this end, so an earlier end would be no renewal.
            let earliest = now.adding(previous)
            if let end, end <= earliest { return .refused(Refusal(.renewalNotLater(end: earliest, proposed: end))) }
            if let end, end > .latest { return .refused(Refusal(.endTooLate)) }
            license.terms.term = Term(start: now, end: end) ?? term
            license.terms.unstarted = nil
        }
        return .granted(
            recording(
                .licenseRenewed, license, by: actor, at: now,
                [
                    .init("previousLength", .text(previous.description)),
                    longer.map { .init("newLength", .text($0.description)) } ?? .newEnd(license.term.end),
                ]))
    }
}

extension Reason.Evidence {
    fileprivate static func newEnd(_ end: Timestamp?) -> Self {
        .init("newEnd", end.map { .date($0) } ?? .text("never"))
    }
}

extension License {
    /// Changes the terms; refused if the license has been revoked or returned.
    ///
    /// Changes without effect record no event.
    public func change(
        _ changes: [LicenseTerms.FieldChange], by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        if let refusal = Self.chart.end(in: recordedState) { return .refused(refusal) }
        for case .end(.at(let end)) in changes where end > .latest { return .refused(Refusal(.endTooLate)) }
        var license = self
        let detail = license.terms.apply(changes, at: now)
        if detail.isEmpty { return .granted(.none) }
        if license.recordedState.isOpen { license.recordedState = openState }
        return .granted(recording(.licenseChanged, license, by: actor, at: now, detail))
    }
}
