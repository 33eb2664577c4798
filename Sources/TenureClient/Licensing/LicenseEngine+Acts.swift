import Foundation
import TenureCore
import TenureFormats
import TenureVault

extension LicenseEngine {
    /// Activates a license key on this device.
    ///
    /// A no changes nothing here: a mistyped key takes no trial and no other license away. A key that nobody has is
    /// asked about once more without what copying puts into a text, such as spaces of other kinds.
    ///
    /// Throws ``LicenseError``: `.notRead`, nobody was asked; `.notStored`, the activation was given back or will be.
    ///
    /// - Parameter unless: Says from what activating would do whether it is left, and then what is answered.
    package func activate(
        _ key: String, unless answered: @Sendable (LicenseManager.LinkEffect) -> LicenseAnswer? = { _ in nil }
    ) async throws(LicenseError) -> LicenseAnswer {
        await takeTurn()
        defer { endTurn() }
        load()
        if let damage, !damage.isFinal { throw LicenseError(.notRead, damage.message) }
        if let answer = answered(effect(of: key)) { return answer }
        var key = key
        var answer = await service.activate(key: key, name: settings.deviceName, freeTier: nil)
        if case .no(let no) = answer, no.reasons.first?.code == "license_unknown",
            let pasted = LicenseKeyText(key)?.asPasted
        {
            key = pasted.text
            answer = await service.activate(key: key, name: settings.deviceName, freeTier: nil)
        }
        switch answer {
        case .no(let no): return await refused(no)
        case .unknown(let unreached): return .unreached(Explanation(.serverUnreached(unreached)))
        case .yes(let grant):
            let activation = HeldActivation(key: key, activation: grant.facts.activation)
            let isFresh = service.dialect == .tenure
            let reading = clock.read()
            let failure = await saveOrLeave { record in
                record.answered(serverTime: grant.serverTime, isFresh: isFresh, at: reading)
                record.activated(activation, grant)
            }
            if let failure { throw await giveBack(activation, because: failure) }
            for owed in record?.owed ?? [] { await giveBack(owed) }
            return .done
        }
    }

    /// Ends the license's activation on this device; the table then decides.
    ///
    /// A verified no means that there is no such activation, and is as good as a yes.
    ///
    /// Throws ``LicenseError``: `.notRead`, nobody was asked; `.notStored`, the activation has ended and this process knows,
    /// but the next launch will find the license and be told by the server.
    package func deactivate() async throws(LicenseError) -> LicenseAnswer {
        await takeTurn()
        defer { endTurn() }
        load()
        if let damage, !damage.isFinal { throw LicenseError(.notRead, damage.message) }
        guard let activation = record?.license?.activation else { return .done }
        let serverTime: Moment?
        switch await service.release(activation) {
        case .yes(let released): serverTime = released.serverTime
        case .no(let no): serverTime = no.serverTime
        case .unknown(let unreached): return .unreached(Explanation(.serverUnreached(unreached)))
        }
        let isFresh = service.dialect == .tenure
        let reading = clock.read()
        let failure = await save { record in
            record.answered(serverTime: serverTime, isFresh: isFresh, at: reading)
            record.released(activation)
        }
        if let failure { throw LicenseError(.notStored, failure.message) }
        return .done
    }

    /// Starts this device's trial: on the server, or here when it cannot be asked and the length is known.
    ///
    /// Starting it twice starts it once. Done does not mean that it still runs; the state tells.
    ///
    /// Throws ``LicenseError``: `.notRead`; `.notStored`, the trial runs until the app ends.
    package func startTrial() async throws(LicenseError) -> LicenseAnswer {
        await takeTurn()
        defer { endTurn() }
        load()
        if let damage, !damage.isFinal { throw LicenseError(.notRead, damage.message) }
        if case .signed = record?.trial { return .done }
        switch await service.trial(startedAt: record?.trial.start) {
        case .yes(let trial):
            let reading = clock.read()
            return try await kept { record in
                record.answered(serverTime: trial.serverTime, isFresh: true, at: reading)
                record.started(.signed(start: trial.start, days: trial.days))
            }
        case .no(let no):
            if case .local = record?.trial { await save { $0.trialRefused() } }
            return await refused(no)
        case .unknown(let unreached): return try await startTrialHere(unreached)
        }
    }

    private func startTrialHere(_ unreached: Unreached) async throws(LicenseError) -> LicenseAnswer {
        if case .local = record?.trial { return .done }
        // A lost record may hide a trial that is over: only a server may grant another. One that keeps no trials has
        // at least to be asked.
        let isLost = damage != nil || service.dialect == .tenure && record?.loss != nil
        if isLost { return .unreached(Explanation(.serverUnreached(unreached))) }
        // Over Keylight the server never keeps a trial, and says with its terms how long one lasts.
        if service.dialect == .keylight, record?.terms == nil { await fetchTerms() }
        guard let days = record?.terms?.trialDays ?? settings.trialDays else {
            return .unreached(Explanation(.serverUnreached(record?.unreached ?? unreached)))
        }
        guard days > 0 else { return .refused(Explanation(.trialNotOffered)) }
        let (reading, trusted) = look()
        guard trusted.verdict == .believed else { return .refused(stand().resolution.explanation) }
        return try await kept { record in
            record.keep(reading)
            guard record.trial == .notStarted else { return }
            record.started(.local(start: Moment(trusted.now), days: days))
        }
    }

    private func kept(_ change: @escaping Change) async throws(LicenseError) -> LicenseAnswer {
        if let failure = await save(change) { throw LicenseError(.notStored, failure.message) }
        return .done
    }

    /// A no to an act changes nothing but what is known of the time.
    private func refused(_ no: VerifiedNo) async -> LicenseAnswer {
        if let serverTime = no.serverTime {
            let isFresh = service.dialect == .tenure
            let reading = clock.read()
            await save { $0.told(serverTime, isFresh: isFresh, at: reading) }
        }
        let reasons = no.reasons.map(Reason.init)
        return .refused(Explanation(reasons.first ?? .refusedWithoutReason, Array(reasons.dropFirst())))
    }

    private func giveBack(_ activation: HeldActivation, because failure: VaultError) async -> LicenseError {
        if case .unknown = await service.release(activation) {
            // Held in memory; when writing works again, the next request settles it.
            await save { $0.owe(activation) }
            return LicenseError(
                .notStored,
                "\(failure.message) The activation could not be given back yet; activating again takes no second place."
            )
        }
        return LicenseError(.notStored, "\(failure.message) The activation was given back.")
    }

    /// Lists the devices on which the license is activated, and first releases one of them if it is named.
    ///
    /// Nothing is changed here: a license that was stopped meanwhile is noticed by the next refresh.
    package func devices(releasing other: String? = nil) async -> LicenseDevicesAnswer {
        load()
        guard let license = record?.license, let lease = license.lease else {
            return .refused(stand().resolution.explanation)
        }
        let activation = license.activation
        switch await service.places(of: activation, lease: [UInt8](lease), freeing: other) {
        case .yes(let held):
            deviceLimit = held.limit
            return .listed(LicenseDevices(held, here: activation.activation))
        case .no(let no):
            let reasons = no.reasons.map(Reason.init)
            return .refused(Explanation(reasons.first ?? .refusedWithoutReason, Array(reasons.dropFirst())))
        case .unknown(let unreached): return .unreached(Explanation(.serverUnreached(unreached)))
        }
    }
}
