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
        if recordedState.isFinal {
            return .refused(Refusal(recordedState == .revoked ? .licenseRevoked : .licenseReturned))
        }
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
