package import TenureCore
import TenureFoundation

/// How a server's answers change the record.
///
/// Each method is applied to the record as it is stored at that moment, since another process may have changed it.
extension ClientRecord {
    /// Records a verified response, whether a success or a refusal.
    package mutating func answered(serverTime: Moment?, isFresh: Bool, at reading: ClockReading) {
        if let serverTime { record(serverTime, isFresh: isFresh, at: reading) }
        confirmed = Moment(TrustedTime(reading, marks: marks).now)
        lastTry = .answered(at: reading)
        unreached = nil
    }

    /// Records the time that a server sent.
    package mutating func record(_ serverTime: Moment, isFresh: Bool, at reading: ClockReading) {
        var clockMarks = marks ?? ClockMarks(reading)
        let check = clockMarks.take(serverTime, isFresh: isFresh, at: reading)
        marks = clockMarks
        if let check { trial = trial.corrected(by: check) }
    }

    /// Records an activation, whose license replaces the current one, and the reported operating system.
    ///
    /// The activation of a replaced license is queued to be released.
    package mutating func activated(_ activation: HeldActivation, _ grant: LeaseGrant, system: String? = nil) {
        if let replaced = license?.activation, replaced.activation != activation.activation { owe(replaced) }
        owed.removeAll { $0.activation == activation.activation }
        loss = nil
        let isSame = license?.activation.activation == activation.activation
        license = License(
            activation: activation, lease: Data(grant.bytes), issuedAt: grant.facts.issuedAt,
            activatedAt: isSame ? license?.activatedAt ?? grant.facts.issuedAt : grant.facts.issuedAt, system: system)
        terms = grant.terms ?? terms
    }

    /// Records a renewed lease, and the operating system that was reported with the request.
    ///
    /// The lease is ignored if its license has been replaced. A lease from a response that isn't fresh is also ignored
    /// if a newer lease is stored.
    package mutating func renewed(
        _ activation: HeldActivation, _ grant: LeaseGrant, isFresh: Bool, system: String? = nil
    ) {
        terms = grant.terms ?? terms
        guard license?.activation == activation else { return }
        if let system { license?.system = system }
        if !isFresh, let newest = license?.issuedAt, grant.facts.issuedAt < newest { return }
        license?.lease = Data(grant.bytes)
        license?.issuedAt = grant.facts.issuedAt
        license?.refused = nil
    }

    /// Records that a renewal was refused; if the license has been replaced, only the terms are stored.
    package mutating func refused(_ activation: HeldActivation, _ refusal: SignedRefusal) {
        terms = refusal.terms ?? terms
        guard license?.activation == activation else { return }
        license?.refused = SignedRefusal(reasons: refusal.reasons, serverTime: refusal.serverTime)
        license?.lease = refusal.lease.map { Data($0.bytes) }
        if let lease = refusal.lease { license?.issuedAt = lease.facts.issuedAt }
    }

    package mutating func started(_ trial: KeptTrial) {
        self.trial = trial
        loss = nil
    }

    /// Records a trial that the user started offline, and the marks that measure it; ignored if there is a trial
    /// already.
    package mutating func startedTrial(of days: Int, at now: Timestamp, _ reading: ClockReading) {
        keep(reading)
        guard trial == .notStarted else { return }
        started(.local(start: DeviceTime(now, ran: marks?.ran(at: reading)), days: days))
    }

    /// Records that the server refuses this device a trial.
    ///
    /// A trial that was started offline ends. Its start is kept, so that no other trial can begin.
    package mutating func trialRefused() {
        guard case .local(let start, _) = trial else { return }
        trial = .signed(start: Moment(start.time), days: 0)
    }

    /// Records that an activation was released.
    ///
    /// If it was the stored license's activation, the license is removed. The stored terms may be as old as the
    /// activation, so they are requested again.
    package mutating func released(_ activation: HeldActivation) {
        owed.removeAll { $0 == activation }
        guard license?.activation == activation else { return }
        license = nil
        confirmed = nil
    }

    /// Queues an activation to be released when the server can be reached. If the queue is full, the oldest is dropped.
    package mutating func owe(_ activation: HeldActivation) {
        guard !owed.contains(activation) else { return }
        owed = owed.suffix(Self.mostOwed - 1) + [activation]
    }
}
