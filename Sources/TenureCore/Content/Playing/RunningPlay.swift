/// What a device does with a running play at a moment.
public enum RunningPlay: Sendable, Hashable {
    /// It goes on; at the moment named it is to be asked again.
    case goesOn(until: Timestamp?)
    /// It stops, and why.
    case stops(Refusal)
}

extension ContentGrant {
    /// Whether a play that runs may go on. An end by date is treated as `whenOver` says; all else stops it: what is
    /// counted is not exceeded, and the server's no is final.
    public func goingOn(of ledger: ContentLedger, at moment: ContentMoment) -> RunningPlay {
        let standing = status(of: ledger, at: moment)
        guard let refusal = Refusal(standing.reasons) else { return .goesOn(until: standing.nextChangeAt) }
        let ends = [terms.expiresAt, ledger.windowEnd(of: terms), terms.checkInBy].compactMap(\.self)
        let byDate: [Reason.Kind] = [.grantExpired, .playWindowOver, .checkInOverdue]
        guard let first = ends.min(), refusal.reasons.allSatisfy({ byDate.contains($0.code) }) else {
            return .stops(refusal)
        }
        switch terms.whenOver {
        case .stop: return .stops(refusal)
        case .finish: return .goesOn(until: standing.nextChangeAt)
        case .grace:
            let last = first.adding(seconds: terms.graceSeconds)
            guard moment.now < last else { return .stops(refusal) }
            return .goesOn(until: [standing.nextChangeAt, last].compactMap(\.self).min())
        }
    }
}
