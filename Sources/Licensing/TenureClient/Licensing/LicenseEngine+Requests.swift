import TenureCore
import TenureLicensing

extension LicenseEngine {
    /// Contacts the server if a request is due, and decides the state again.
    ///
    /// A caller that arrives while a request is running waits for its result. A check takes one request or, if it also
    /// confirms a trial, two. Each activation to be released takes another one.
    ///
    /// - Parameter age: The age in seconds from which the last response is stale when the user looks at the app.
    package func refresh(on occasion: RefreshPolicy.Occasion, olderThan age: Int64 = RefreshPolicy.stale) async
        -> EngineStatus
    {
        while let question = asking {
            await question.value
            // The user may have fixed what made the previous request fail.
            guard occasion == .asked || occasion == .online, record?.unreached != nil else { return stand() }
        }
        load()
        if shown != nil { return stand() }
        if let damage, !damage.isFinal { return stand() }
        let trusted = readClock().1
        let timed: RefreshPolicy.Occasion = isEntitled(at: trusted) ? .idle : .waiting
        let occasion = occasion == .waiting ? timed : occasion
        guard case .refreshNow = step(on: occasion, at: trusted, olderThan: age) else { return stand() }
        if occasion == .asked { lastAsked = clock.read() }
        // An unstructured task: if the caller is cancelled, the other callers still get the result.
        let task = Task {
            await sendRequest(on: occasion)
            asking = nil
        }
        asking = task
        await task.value
        return stand()
    }

    /// Contacts the server at the user's request and returns the result.
    package func check() async -> LicenseAnswer {
        _ = await refresh(on: .asked)
        if let damage, !damage.isFinal { return .unreached(Explanation(.recordUnreadable(damage))) }
        guard let unreached = record?.unreached else { return .done }
        let (reading, trusted) = readClock()
        let wait = record?.lastTry?.wait(for: .asked, at: reading) ?? 0
        let reason = Reason.serverUnreached(unreached)
        return .unreached(
            wait > 0
                ? Explanation(.serverWantsRest(until: trusted.now.adding(seconds: wait)), [reason])
                : Explanation(reason))
    }

    private func sendRequest(on occasion: RefreshPolicy.Occasion) async {
        if let activation = record?.license?.activation {
            await renew(activation, on: occasion)
        } else if case .local = record?.trial, service.dialect == .tenure {
            // Fetch the server's time first, because the device's clock may have been ahead when the trial started.
            if await fetchTerms(on: occasion).isAnswered, let start = record?.trial.start {
                await confirmTrial(startedAt: start, on: occasion)
            }
        } else if record?.terms != nil, let start = signedTrialStart(isRunning: true) {
            await confirmTrial(startedAt: start, on: occasion)
        } else if case .success = await fetchTerms(on: occasion), let start = signedTrialStart(isRunning: false) {
            // The vendor may have extended this device's trial.
            await confirmTrial(startedAt: start, on: occasion)
        }
        for owed in record?.owed ?? [] { await giveBack(owed) }
    }

    private func renew(_ activation: HeldActivation, on occasion: RefreshPolicy.Occasion) async {
        let isFresh = service.dialect == .tenure
        let system = reportedSystem
        let isKnown = system == nil || record?.license?.system == system?.text
        switch await service.renew(
            activation, notBefore: record?.license?.issuedAt, name: settings.deviceName,
            reporting: isKnown ? nil : system)
        {
        case .success(let grant):
            let reading = clock.read()
            await save { record in
                record.answered(serverTime: grant.serverTime, isFresh: isFresh, at: reading)
                record.renewed(activation, grant, isFresh: isFresh, system: system?.text)
            }
        case .refused(let refusal):
            let reading = clock.read()
            await save { record in
                record.answered(serverTime: refusal.serverTime, isFresh: isFresh, at: reading)
                record.refused(activation, refusal)
            }
        case .unknown(let unreached):
            await fail(unreached, on: occasion)
        }
    }

    /// The operating system that this device reports; `nil` over Keylight, whose requests have no field for it.
    var reportedSystem: DeviceSystem? { service.dialect == .tenure ? settings.system : nil }

    /// The start of this device's signed trial if it's running or, with `isRunning` false, has ended; otherwise `nil`.
    ///
    /// A Keylight server stores no trials.
    func signedTrialStart(isRunning: Bool) -> Moment? {
        guard service.dialect == .tenure, let record else { return nil }
        return record.trial.signedStart(isRunning: isRunning, under: record.terms, at: readClock().1.now)
    }

    func requestTrial(startedAt start: Moment?) async -> Answer<TrialStart> {
        await service.trial(startedAt: start, name: settings.deviceName, system: reportedSystem)
    }

    func confirmTrial(startedAt start: Moment, on occasion: RefreshPolicy.Occasion) async {
        switch await requestTrial(startedAt: start) {
        case .success(let trial):
            let reading = clock.read()
            await save { record in
                record.answered(serverTime: trial.serverTime, isFresh: true, at: reading)
                record.trial = .signed(start: trial.start, days: trial.days)
            }
        case .refused(let refusal):
            let reading = clock.read()
            await save { record in
                record.answered(serverTime: refusal.serverTime, isFresh: true, at: reading)
                record.trialRefused()
            }
        case .unknown(let unreached):
            // Without this, nothing would request the trial again until the last response is stale.
            await fail(unreached, on: occasion) { record in
                if record.license == nil { record.confirmed = nil }
            }
        }
    }

    /// Fetches the terms for users without a license.
    ///
    /// Any verified answer also replaces a lost record, since it shows that the server can be reached.
    ///
    /// - Parameter occasion: What causes the request, which decides when a failed request is repeated.
    @discardableResult
    func fetchTerms(on occasion: RefreshPolicy.Occasion = .asked) async -> Answer<ProductTerms> {
        let answer = await service.configuration()
        let isFresh = service.dialect == .tenure
        let reading = clock.read()
        switch answer {
        case .success(let terms):
            await save { record in
                record.answered(serverTime: terms.signedAt, isFresh: isFresh, at: reading)
                record.terms = terms
            }
        case .refused(let refusal):
            await save { $0.answered(serverTime: refusal.serverTime, isFresh: isFresh, at: reading) }
        case .unknown(let unreached):
            await fail(unreached, on: occasion)
        }
        return answer
    }

    /// Releases an activation. Any verified response removes it from the queue; a failed request leaves it there.
    func giveBack(_ activation: HeldActivation) async {
        if case .unknown = await service.release(activation) { return }
        await save { $0.released(activation) }
    }

    /// Records a failed request, together with another change.
    private func fail(
        _ unreached: RequestFailure, on occasion: RefreshPolicy.Occasion, and also: @escaping Mutation = { _ in }
    ) async {
        let reading = clock.read()
        let failed = LastTry.failed(
            unreached, on: occasion, after: record?.lastTry, at: reading, using: &generator)
        let change: Mutation = { record in
            record.lastTry = failed
            record.unreached = unreached
            also(&record)
        }
        // A lost record isn't overwritten before there is something better to store.
        guard damage == nil else {
            record.map { stored in
                var changed = stored
                change(&changed)
                record = changed
            }
            return
        }
        await save(change)
    }

    /// Determines from the record which request the client would send, and when.
    func subject(at trusted: TrustedTime) -> RefreshPolicy.Subject {
        let missing = RefreshPolicy.Subject.missing(since: nextQuestion(at: trusted))
        if let damage { return damage.isFinal ? missing : .nothing }
        guard trusted.verdict == .believed, record?.owed.isEmpty != false else { return missing }
        switch storedLicense() {
        case .lease(let lease) where lease.status != .expired: return .lease(lease, at: trusted.now)
        case .lease: return .refused(changesAt: nil)
        case .refused(let refusal): return .refused(changesAt: change(of: refusal))
        case .unverifiable, .unconfirmed, .unreadable: return missing
        case nil: break
        }
        if case .local = record?.trial, service.dialect == .tenure { return missing }
        if record?.terms == nil || record?.confirmed == nil { return missing }
        return signedTrialStart(isRunning: true) == nil ? .nothing : .trial(confirmed: record?.confirmed)
    }

    /// When to request missing data: now, or once the last response is stale if it succeeded without that data.
    private func nextQuestion(at trusted: TrustedTime) -> Timestamp {
        guard let confirmed = record?.confirmed, record?.lastTry?.failures == 0 else { return trusted.now }
        return confirmed.timestamp.adding(seconds: RefreshPolicy.stale)
    }

    /// When a refusal is due to change; `nil` if it isn't, or if the server has responded since that time.
    private func change(of refusal: SignedRefusal) -> Timestamp? {
        guard let change = refusal.reasons.first?.changesAt else { return nil }
        return record?.confirmed.map { $0 < change } ?? true ? change.timestamp : nil
    }
}
