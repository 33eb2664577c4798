import TenureCore
import TenureFoundation
import TenureLicensing
import TenureVault

extension LicenseEngine {
    /// Activates a license key on this device.
    ///
    /// A refusal changes nothing, so a mistyped key ends neither a trial nor another license. If the server doesn't
    /// know the key, it is tried again without the characters that copying adds, such as special spaces.
    ///
    /// - Parameter unless: Receives the effect that activating would have. If the closure returns an answer, that
    ///   answer is returned, and nothing is activated.
    /// - Throws: ``LicenseError``: `.notRead`, no request was sent; `.notStored`, the activation has been or will be
    ///   released, unless the stored license uses it.
    package func activate(
        _ key: String, unless answered: @Sendable (LicenseManager.LinkEffect) -> LicenseAnswer? = { _ in nil }
    ) async throws(LicenseError) -> LicenseAnswer {
        await takeTurn()
        defer { endTurn() }
        load()
        if let damage, !damage.isFinal { throw LicenseError(.notRead, damage.message) }
        if let answer = answered(effect(of: key)) { return answer }
        var key = key
        var answer = await service.activate(
            key: key, name: settings.deviceName, system: reportedSystem, freeTier: nil)
        if case .refused(let refusal) = answer, refusal.reasons.first?.code == "license_unknown",
            let pasted = LicenseKeyText(key)?.asPasted
        {
            key = pasted.text
            answer = await service.activate(
                key: key, name: settings.deviceName, system: reportedSystem, freeTier: nil)
        }
        switch answer {
        case .refused(let refusal): return await refused(refusal)
        case .unknown(let unreached): return .unreached(Explanation(.serverUnreached(unreached)))
        case .success(let grant):
            let activation = HeldActivation(key: key, activation: grant.facts.activation)
            let isFresh = service.dialect == .tenure
            let reported = reportedSystem?.text
            let reading = clock.read()
            let failure = await saveOrLeave { record in
                record.answered(serverTime: grant.serverTime, isFresh: isFresh, at: reading)
                record.activated(activation, grant, system: reported)
            }
            if let failure { throw await giveBack(activation, because: failure) }
            for owed in record?.owed ?? [] { await giveBack(owed) }
            return .done
        }
    }

    /// Releases this device's activation of the license and removes the license from the record. Then it requests the
    /// terms for users without a license, and the trial if there was one.
    ///
    /// A verified refusal means that the activation doesn't exist, so it counts as success.
    ///
    /// Throws ``LicenseError``: `.notRead`, no request was sent; `.notStored`, the activation has ended, but the record
    /// still contains the license. The next launch then learns from the server that the activation has ended.
    package func deactivate() async throws(LicenseError) -> LicenseAnswer {
        await takeTurn()
        defer { endTurn() }
        load()
        if let damage, !damage.isFinal { throw LicenseError(.notRead, damage.message) }
        guard let activation = record?.license?.activation else { return .done }
        let serverTime: Moment?
        switch await service.release(activation) {
        case .success(let released): serverTime = released.serverTime
        case .refused(let refusal): serverTime = refusal.serverTime
        case .unknown(let unreached): return .unreached(Explanation(.serverUnreached(unreached)))
        }
        let isFresh = service.dialect == .tenure
        let reading = clock.read()
        let failure = await save { record in
            record.answered(serverTime: serverTime, isFresh: isFresh, at: reading)
            record.released(activation)
        }
        if let failure { throw LicenseError(.notStored, failure.message) }
        // The terms and the trial may have changed since the license was activated.
        if await fetchTerms(on: .look).isAnswered, service.dialect == .tenure, let start = record?.trial.start {
            await confirmTrial(startedAt: start, on: .look)
        }
        return .done
    }

    /// Starts this device's trial: on the server, or locally if the server can't be reached and the length is known.
    ///
    /// Calling it again changes nothing, unless the vendor has extended a trial that has ended. `.done` doesn't mean
    /// that the trial is still running; see the state.
    ///
    /// Throws ``LicenseError``: `.notRead`; `.notStored`, the trial is forgotten when the app quits.
    package func startTrial() async throws(LicenseError) -> LicenseAnswer {
        await takeTurn()
        defer { endTurn() }
        load()
        if let damage, !damage.isFinal { throw LicenseError(.notRead, damage.message) }
        if case .signed = record?.trial, signedTrialStart(isRunning: false) == nil { return .done }
        if case .local = record?.trial, case .unknown = await fetchTerms() { return .done }
        switch await requestTrial(startedAt: record?.trial.start) {
        case .success(let trial):
            let reading = clock.read()
            return try await persist { record in
                record.answered(serverTime: trial.serverTime, isFresh: true, at: reading)
                record.started(.signed(start: trial.start, days: trial.days))
            }
        case .refused(let refusal):
            if case .local = record?.trial { await save { $0.trialRefused() } }
            return await refused(refusal)
        case .unknown(let unreached): return try await startTrialHere(unreached)
        }
    }

    private func startTrialHere(_ unreached: RequestFailure) async throws(LicenseError) -> LicenseAnswer {
        switch record?.trial {
        case .local: return .done
        case .signed: return .unreached(Explanation(.serverUnreached(unreached)))
        case .notStarted, nil: break
        }
        // A lost record may hide a trial that has ended, so only the server may grant another trial. A Keylight server
        // stores no trials. There, any response since the loss is enough, because it has replaced the record.
        let isLost = damage != nil || service.dialect == .tenure && record?.loss != nil
        if isLost { return .unreached(Explanation(.serverUnreached(unreached))) }
        // A Keylight server stores no trials; its product configuration says how long one lasts.
        if service.dialect == .keylight, record?.terms == nil { await fetchTerms() }
        guard let days = record?.terms?.trialDays ?? settings.trialDays else {
            return .unreached(Explanation(.serverUnreached(record?.unreached ?? unreached)))
        }
        guard days > 0 else { return .refused(Explanation(.trialNotOffered)) }
        let (reading, trusted) = readClock()
        guard trusted.verdict == .believed else { return .refused(stand().resolution.explanation) }
        return try await persist { record in
            record.startedTrial(of: days, at: trusted.now, reading)
        }
    }

    private func persist(_ change: @escaping Mutation) async throws(LicenseError) -> LicenseAnswer {
        if let failure = await save(change) { throw LicenseError(.notStored, failure.message) }
        return .done
    }

    /// Converts a refusal to an answer, and stores only the time that came with it.
    private func refused(_ refusal: SignedRefusal) async -> LicenseAnswer {
        if let serverTime = refusal.serverTime {
            let isFresh = service.dialect == .tenure
            let reading = clock.read()
            await save { $0.record(serverTime, isFresh: isFresh, at: reading) }
        }
        let reasons = refusal.reasons.map(Reason.init)
        return .refused(Explanation(reasons.first ?? .refusedWithoutReason, Array(reasons.dropFirst())))
    }

    private func giveBack(_ activation: HeldActivation, because failure: VaultError) async -> LicenseError {
        // Another process may have stored the activation meanwhile.
        load()
        if record?.license?.activation.activation == activation.activation {
            return LicenseError(.notStored, "\(failure.message) The license was activated already and stays so.")
        }
        if case .unknown = await service.release(activation) {
            // If this write fails too, the change is kept in memory. The next request releases the activation.
            await save { $0.owe(activation) }
            return LicenseError(
                .notStored,
                "\(failure.message) The activation couldn't be released yet. Activating again doesn't use another one."
            )
        }
        return LicenseError(.notStored, "\(failure.message) The activation was released.")
    }

    /// Fetches the devices on which the license is activated; releases one of them first if `other` is set.
    package func devices(releasing other: String? = nil) async throws(LicenseDevicesError) -> LicenseDevices {
        try await DeviceRequests.list(of: self, releasing: other)
    }
}
