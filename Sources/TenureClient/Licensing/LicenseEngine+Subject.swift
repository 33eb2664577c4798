import TenureCore

extension LicenseEngine {
    /// What there is to ask the server about.
    func subject(at trusted: TrustedTime) -> Cadence.Subject {
        let missing = Cadence.Subject.missing(since: nextQuestion(at: trusted))
        if let damage { return damage.isFinal ? missing : .nothing }
        guard trusted.verdict == .believed, record?.owed.isEmpty != false else { return missing }
        switch storedLicense() {
        case .lease(let lease) where lease.status != .expired: return .lease(lease, at: trusted.now)
        case .lease: return .refused(changesAt: nil)
        case .refused(let no): return .refused(changesAt: change(of: no))
        case .unverifiable, .unconfirmed, .unreadable: return missing
        case nil: break
        }
        if case .local = record?.trial, service.dialect == .tenure { return missing }
        return record?.terms == nil ? missing : .nothing
    }

    /// At once, but what the server's last answer did not give is not asked for again at every debounce.
    private func nextQuestion(at trusted: TrustedTime) -> Timestamp {
        guard let confirmed = record?.confirmed, record?.lastTry?.failures == 0 else { return trusted.now }
        return confirmed.timestamp.adding(seconds: Cadence.stale)
    }

    /// When a no changes by itself, unless it was said again after that.
    private func change(of no: VerifiedNo) -> Timestamp? {
        guard let change = no.reasons.first?.changesAt else { return nil }
        return record?.confirmed.map { $0 < change } ?? true ? change.timestamp : nil
    }
}
