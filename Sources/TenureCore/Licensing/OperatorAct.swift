/// What an operator may do to a license.
public enum OperatorAct: Sendable, Hashable {
    /// Replaces the term by a later one.
    case renew(RenewalLength)
    /// Stops it, reversibly.
    case suspend
    /// Ends a suspension.
    case reinstate
    /// Stops it, finally.
    case revoke
    /// Takes it back from its holder, finally.
    case giveBack
    /// Edits policy, holder or end.
    case change(LicenseEdit)
    /// Gives it another key.
    case rekey(LicenseKey)
}

extension License {
    /// Decides on an operator's act; see the act's own function for what it refuses.
    public func perform(
        _ act: OperatorAct, under policy: Policy, by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        switch act {
        case .renew(let length): renew(length, under: policy, by: actor, at: now)
        case .suspend: suspend(by: actor, at: now)
        case .reinstate: reinstate(by: actor, at: now)
        case .revoke: revoke(by: actor, at: now)
        case .giveBack: giveBack(by: actor, at: now)
        case .change(let edit): change(edit, by: actor, at: now)
        case .rekey(let key): rekey(to: key, by: actor, at: now)
        }
    }
}

/// How far a renewal reaches.
public enum RenewalLength: Sendable, Hashable {
    /// As long as the policy says; the license becomes perpetual if the policy's are.
    case policy
    /// So many days of 86,400 s.
    case days(Int)
    /// Up to a moment, the first that no longer belongs to the term.
    case until(Timestamp)
}

extension License {
    /// Decides on a later term.
    ///
    /// Length is added to the end of a running term, so an early renewal loses nothing; a license that has expired
    /// starts again now. A suspended license is renewed and stays suspended: a payment that arrives meanwhile counts.
    /// Refused for a perpetual, a revoked and a returned license, and when the new end is not later.
    public func renew(
        _ length: RenewalLength, under policy: Policy, by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        if let refusal = Self.chart.end(in: recordedState) { return .refused(refusal) }
        guard let end = term.end else { return .refused(Refusal(.termPerpetual)) }
        let base = max(end, now)
        let newEnd: Timestamp? =
            switch length {
            case .policy: policy.durationDays.map { base.adding(days: $0) }
            case .days(let days): base.adding(days: days)
            case .until(let moment): moment
            }
        if let newEnd, newEnd <= base { return .refused(Refusal(.renewalNotLater(end: end, proposed: newEnd))) }
        var license = self
        guard let term = Term(start: now >= end ? now : term.start, end: newEnd) else {
            return .refused(Refusal(.renewalNotLater(end: end, proposed: base)))
        }
        license.term = term
        if license.recordedState.isOpen { license.recordedState = openState }
        return .granted(
            recording(
                .licenseRenewed, license, by: actor, at: now,
                [
                    .init("previousEnd", .date(end)),
                    newEnd.map { .init("newEnd", .date($0)) } ?? .init("newEnd", .text("never")),
                ]))
    }
}

/// An operator's edit of a license; what is nil stays as it is.
public struct LicenseEdit: Sendable, Hashable {
    /// The policy to follow from now on.
    public var policy: PolicyID?

    /// Its holder; an empty text removes the name.
    public var holder: String?

    /// Its term's end.
    public var end: End?

    /// An end to set.
    public enum End: Sendable, Hashable {
        /// The license becomes perpetual.
        case never
        /// The first moment that no longer belongs to the term; one that has passed expires the license at once.
        case at(Timestamp)
    }

    /// Makes an edit.
    public init(policy: PolicyID? = nil, holder: String? = nil, end: End? = nil) {
        self.policy = policy
        self.holder = holder
        self.end = end
    }
}

extension License {
    /// Decides what an edit changes. A revoked or returned license refuses; an edit that changes nothing records nothing.
    ///
    /// An end before the term's start moves the start with it: the term is empty and over.
    public func change(_ edit: LicenseEdit, by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        if let refusal = Self.chart.end(in: recordedState) { return .refused(refusal) }
        var license = self
        var detail: [Reason.Evidence] = []
        if let policy = edit.policy, policy != self.policy {
            license.policy = policy
            detail += [.init("previousPolicy", .text(self.policy.text)), .init("policy", .text(policy.text))]
        }
        if let holder = edit.holder, holder != (self.holder ?? "") {
            license.holder = holder.isEmpty ? nil : holder
            detail.append(.init("holder", .text(holder)))
        }
        if let end = edit.end {
            let newEnd: Timestamp? = if case .at(let moment) = end { moment } else { nil }
            if newEnd != term.end {
                let start = newEnd.map { min($0, term.start) } ?? term.start
                license.term = Term(start: start, end: newEnd) ?? term
                detail.append(.init("expiresAt", newEnd.map { .date($0) } ?? .text("never")))
            }
        }
        if detail.isEmpty { return .granted(.none) }
        if license.recordedState.isOpen { license.recordedState = openState }
        return .granted(recording(.licenseChanged, license, by: actor, at: now, detail))
    }

    /// Decides on a new key for the same license: the devices keep their seats, and the old key is remembered, so that
    /// whoever uses it is told.
    ///
    /// A revoked or returned license refuses.
    public func rekey(to key: LicenseKey, by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        if let refusal = Self.chart.end(in: recordedState) { return .refused(refusal) }
        var license = self
        license.key = key
        var consequences = recording(
            .licenseRekeyed, license, by: actor, at: now,
            [
                .init("previousKey", .text(self.key.masked)), .init("key", .text(key.masked)),
            ])
        if key.hash != self.key.hash {
            consequences.formerKey = FormerKey(product: product, hash: self.key.hash, license: id, replacedAt: now)
        }
        return .granted(consequences)
    }
}
