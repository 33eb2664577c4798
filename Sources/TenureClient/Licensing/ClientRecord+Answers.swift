import Foundation

/// What answers of a server change in the record. Each is a function of the record as it is stored at that moment, which
/// another process may have changed meanwhile.
extension ClientRecord {
    /// An answer came, of whatever kind.
    package mutating func answered(serverTime: Moment?, isFresh: Bool, at reading: ClockReading) {
        if let serverTime { told(serverTime, isFresh: isFresh, at: reading) }
        confirmed = Moment(TrustedTime(reading, marks: marks).now)
        lastTry = .answered(at: reading)
        unreached = nil
    }

    /// A server told the time, with whatever answer.
    package mutating func told(_ serverTime: Moment, isFresh: Bool, at reading: ClockReading) {
        var known = marks ?? ClockMarks(reading)
        known.take(serverTime, isFresh: isFresh, at: reading)
        marks = known
    }

    /// A key was activated: its license replaces the one that was here.
    package mutating func activated(_ activation: HeldActivation, _ grant: LeaseGrant) {
        if let replaced = license?.activation, replaced.activation != activation.activation { owe(replaced) }
        owed.removeAll { $0.activation == activation.activation }
        loss = nil
        let isSame = license?.activation.activation == activation.activation
        license = License(
            activation: activation, lease: Data(grant.bytes), issuedAt: grant.facts.issuedAt,
            activatedAt: isSame ? license?.activatedAt ?? grant.facts.issuedAt : grant.facts.issuedAt)
        terms = grant.terms ?? terms
    }

    /// A lease was renewed; it counts if its license is still here and no other process got a newer one.
    package mutating func renewed(_ activation: HeldActivation, _ grant: LeaseGrant, isFresh: Bool) {
        terms = grant.terms ?? terms
        guard license?.activation == activation else { return }
        if !isFresh, let newest = license?.issuedAt, grant.facts.issuedAt < newest { return }
        license?.lease = Data(grant.bytes)
        license?.issuedAt = grant.facts.issuedAt
        license?.no = nil
    }

    /// A renewal was refused; it counts if its license is still here.
    package mutating func refused(_ activation: HeldActivation, _ no: VerifiedNo) {
        guard license?.activation == activation else { return }
        license?.no = VerifiedNo(reasons: no.reasons, serverTime: no.serverTime)
        license?.lease = no.lease.map { Data($0.bytes) }
        if let lease = no.lease { license?.issuedAt = lease.facts.issuedAt }
    }

    /// A person started a trial.
    package mutating func started(_ trial: KeptTrial) {
        self.trial = trial
        loss = nil
    }

    /// The server grants this device no trial. One that was started here is over; its start stays, so that none begins
    /// again.
    package mutating func trialRefused() {
        guard case .local(let start, _) = trial else { return }
        trial = .signed(start: start, days: 0)
    }

    /// A place was given back.
    package mutating func released(_ activation: HeldActivation) {
        owed.removeAll { $0 == activation }
        if license?.activation == activation { license = nil }
    }

    /// A place is to be given back when somebody can be told.
    package mutating func owe(_ activation: HeldActivation) {
        guard !owed.contains(activation) else { return }
        owed = owed.suffix(Self.mostOwed - 1) + [activation]
    }
}
