extension License {
    /// Decides whether the end of the term is to be written down.
    ///
    /// Time alone expires a license, see ``state(at:)``; this act records it, so that there is an event to tell others.
    /// Refused while the term runs, and for a license that an operator or its holder stopped.
    public func expire(at now: Timestamp) -> Decision<Consequences> {
        switch recordedState {
        case .revoked: return .refused(Refusal(.licenseRevoked))
        case .returned: return .refused(Refusal(.licenseReturned))
        case .suspended: return .refused(Refusal(.licenseSuspended))
        case .issued, .active, .expired: break
        }
        guard let end = term.end, now >= end else { return .refused(Refusal(.termNotOver(end: term.end))) }
        guard recordedState != .expired else { return .granted(.none) }
        var license = self
        license.recordedState = .expired
        return .granted(recording(.licenseExpired, license, by: .time, at: now, [.init("expiredAt", .date(end))]))
    }
}
