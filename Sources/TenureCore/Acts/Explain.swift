/// Where a license stands and why, for people.
public struct Explanation: Sendable, Hashable {
    /// Its state at the moment asked about.
    public let state: LicenseState

    /// What a device that holds a seat may do; nil when the license is stopped.
    public let lease: LeaseTerms.Status?

    /// Everything that stands in the way, most specific first; empty when nothing does.
    public let reasons: [Reason]

    /// When the answer changes by itself, if ever: the end of the term or of its grace.
    public let changesAt: Timestamp?
}

extension License {
    /// Explains the license at a moment, with all reasons that a device could be given.
    public func explain(seatsTaken: Int, under policy: Policy, at now: Timestamp) -> Explanation {
        var reasons = obstacles(under: policy, at: now)
        if let limit = policy.activationLimit, seatsTaken >= limit, !recordedState.isFinal {
            reasons.append(.activationLimitReached(taken: seatsTaken, of: limit))
        }
        let ends = [term.end, policy.useEnds(for: term)].compactMap(\.self).filter { $0 > now }
        return Explanation(
            state: state(at: now),
            lease: recordedState.isOpen ? leaseTerms(under: policy, at: now).status : nil, reasons: reasons,
            changesAt: recordedState.isFinal ? nil : ends.min())
    }
}
