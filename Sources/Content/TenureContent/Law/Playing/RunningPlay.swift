public import TenureCore

/// The result of checking whether a running play may continue.
public enum RunningPlay: Sendable, Hashable {
    /// The play may continue. Check again at this time, or at the next change if it's `nil`.
    case goesOn(until: Timestamp?)
    /// The play must stop, for these reasons.
    case stops(Refusal)
}

extension ContentGrant {
    /// Decides whether a running play may continue.
    ///
    /// A date limit is treated according to ``ContentTerms/whenOver``. Every other obstacle stops the play: counted
    /// limits can't be exceeded, and a stop by the server is final.
    public func goingOn(of ledger: ContentLedger, at instant: ContentStatus.Moment) -> RunningPlay {
        let evaluation = status(of: ledger, at: instant)
        guard let refusal = Refusal(evaluation.reasons) else { return .goesOn(until: evaluation.nextChangeAt) }
        let ends = [terms.expiresAt, ledger.windowEnd(of: terms), terms.checkInBy].compactMap(\.self)
        let byDate: [Reason.Kind] = [.grantExpired, .playWindowOver, .checkInOverdue]
        guard let first = ends.min(), refusal.reasons.allSatisfy({ byDate.contains($0.code) }) else {
            return .stops(refusal)
        }
        switch terms.whenOver {
        case .stop: return .stops(refusal)
        case .finish: return .goesOn(until: evaluation.nextChangeAt)
        case .grace:
            let last = first.adding(seconds: terms.graceSeconds)
            guard instant.now < last else { return .stops(refusal) }
            return .goesOn(until: [evaluation.nextChangeAt, last].compactMap(\.self).min())
        }
    }
}
