public import TenureCore

/// An operator's act on a license.
public enum OperatorAct: Sendable, Hashable {
    /// Extends the term.
    case renew(RenewalLength)
    /// Suspends the license.
    case suspend
    /// Ends a suspension.
    case reinstate
    /// Revokes the license for good.
    case revoke
    /// Returns the license for good on the holder's behalf.
    case giveBack
    /// Edits the policy, the holder or the end of the term.
    case change(LicenseEdit)
    /// Replaces the key.
    case rekey(LicenseKey)
}

extension License {
    /// Decides on an operator's act; the method for each act says when it is refused.
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

/// The length of a renewal.
public enum RenewalLength: Sendable, Hashable {
    /// The policy's duration; if that is unlimited, the license becomes perpetual.
    case policy
    /// This many days of 86,400 seconds.
    case days(Int)
    /// Until this time, the first second after the new term.
    case until(Timestamp)
}

extension License {
    /// Extends the term.
    ///
    /// A running term is extended from its end, so an early renewal loses nothing. An expired license gets a new term
    /// that starts now. A suspended license is renewed but stays suspended, so that a payment made meanwhile counts.
    /// Refused if the license is perpetual, revoked or returned, and if the new end isn't later.
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

/// An operator's edit of a license; a `nil` property leaves that part unchanged.
public struct LicenseEdit: Sendable, Hashable {
    /// The policy to use from now on.
    public var policy: PolicyID?

    /// The new holder; an empty string removes the holder.
    public var holder: String?

    /// The new end of the term.
    public var end: TermEnd?

    /// Creates an edit.
    public init(policy: PolicyID? = nil, holder: String? = nil, end: TermEnd? = nil) {
        self.policy = policy
        self.holder = holder
        self.end = end
    }
}

extension License {
    /// Edits the license; refused if it has been revoked or returned.
    ///
    /// An edit that changes nothing records no event. If the new end lies before the term's start, the start moves to
    /// it and the term is empty.
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

    /// Replaces the license's key; refused if the license has been revoked or returned.
    ///
    /// The devices stay active. The old key is remembered, so that its users can be told that it was replaced.
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
