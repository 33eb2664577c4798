import TenureCore

extension LicenseEngine {
    /// Asks the server if it is time to, and decides anew.
    ///
    /// Whoever comes while it is being asked waits for the same answer. One request, unless places are owed.
    ///
    /// - Parameter age: How old the last answer may be for a look, in seconds.
    package func refresh(on occasion: Cadence.Occasion, olderThan age: Int64 = Cadence.stale) async -> Standing {
        while let question = asking {
            await question.value
            // A person may have put right what let that one fail.
            guard occasion == .asked, record?.unreached != nil else { return stand() }
        }
        load()
        if shown != nil { return stand() }
        if let damage, !damage.isFinal { return stand() }
        guard case .refreshNow = step(on: occasion, at: look().1, olderThan: age) else { return stand() }
        if occasion == .asked { lastAsked = clock.read() }
        // Not a child: a caller that is cancelled must not take the answer from the others.
        let task = Task {
            await ask()
            asking = nil
        }
        asking = task
        await task.value
        return stand()
    }

    /// Asks the server because a person wants to know, and tells what came of it.
    package func check() async -> LicenseAnswer {
        _ = await refresh(on: .asked)
        if let damage, !damage.isFinal { return .unreached(Explanation(.recordUnreadable(damage))) }
        guard let unreached = record?.unreached else { return .done }
        let (reading, trusted) = look()
        let wait = record?.lastTry?.wait(for: .asked, at: reading) ?? 0
        let reason = Reason.serverUnreached(unreached)
        return .unreached(
            wait > 0
                ? Explanation(.serverWantsRest(until: trusted.now.adding(seconds: wait)), [reason])
                : Explanation(reason))
    }

    private func ask() async {
        if let activation = record?.license?.activation {
            await renew(activation)
        } else if case .local(let start, _) = record?.trial, service.dialect == .tenure {
            await confirmTrial(startedAt: start)
        } else {
            await fetchTerms()
        }
        for owed in record?.owed ?? [] { await giveBack(owed) }
    }

    private func renew(_ activation: HeldActivation) async {
        let isFresh = service.dialect == .tenure
        switch await service.renew(activation, notBefore: record?.license?.issuedAt) {
        case .yes(let grant):
            let reading = clock.read()
            await save { record in
                record.answered(serverTime: grant.serverTime, isFresh: isFresh, at: reading)
                record.renewed(activation, grant, isFresh: isFresh)
            }
        case .no(let no):
            let reading = clock.read()
            await save { record in
                record.answered(serverTime: no.serverTime, isFresh: isFresh, at: reading)
                record.refused(activation, no)
            }
        case .unknown(let unreached):
            await fail(unreached)
        }
    }

    private func confirmTrial(startedAt start: Moment) async {
        switch await service.trial(startedAt: start) {
        case .yes(let trial):
            let reading = clock.read()
            await save { record in
                record.answered(serverTime: trial.serverTime, isFresh: true, at: reading)
                record.trial = .signed(start: trial.start, days: trial.days)
            }
        case .no(let no):
            let reading = clock.read()
            await save { record in
                record.answered(serverTime: no.serverTime, isFresh: true, at: reading)
                record.trialRefused()
            }
        case .unknown(let unreached):
            await fail(unreached)
        }
    }

    /// Asks what is free; the answer also ends a record that is lost, since it shows that a server is there.
    @discardableResult
    func fetchTerms() async -> Answer<ProductTerms> {
        let answer = await service.configuration()
        let isFresh = service.dialect == .tenure
        let reading = clock.read()
        switch answer {
        case .yes(let terms):
            await save { record in
                record.answered(serverTime: terms.signedAt, isFresh: isFresh, at: reading)
                record.terms = terms
            }
        case .no(let no):
            await save { $0.answered(serverTime: no.serverTime, isFresh: isFresh, at: reading) }
        case .unknown(let unreached):
            await fail(unreached)
        }
        return answer
    }

    /// Gives a place back that is owed; whatever the server says, but not silence, settles it.
    func giveBack(_ activation: HeldActivation) async {
        if case .unknown = await service.release(activation) { return }
        await save { $0.released(activation) }
    }

    private func fail(_ unreached: Unreached) async {
        let reading = clock.read()
        let failed = LastTry.failed(unreached, after: record?.lastTry, at: reading, using: &generator)
        let change: Change = { record in
            record.lastTry = failed
            record.unreached = unreached
        }
        // A record that is lost is not written over before something better is known.
        guard damage == nil else {
            record.map { known in
                var changed = known
                change(&changed)
                record = changed
            }
            return
        }
        await save(change)
    }

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
