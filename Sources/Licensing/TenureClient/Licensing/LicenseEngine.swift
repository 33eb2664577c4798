package import TenureCore
import TenureFoundation
package import TenureLicensing
package import TenureVault

/// Stores the record, decides the license's state, and talks to the license server.
///
/// Each change is a function that is applied to the record as stored at that moment. So two processes that share a
/// record don't lose each other's changes.
package actor LicenseEngine {
    let vault: any Vault
    let service: any LicenseService
    let clock: any DeviceClock
    let settings: Settings
    let time: ClockTracker
    let timeout: LockTimeout
    var generator: any RandomNumberGenerator & Sendable

    /// The record as this process last read or wrote it; `nil` until it has been read.
    var record: ClientRecord?
    /// Why the stored record can't be read; `nil` if it can. Until it can, ``record`` is only this process's copy.
    var damage: VaultError?
    /// Why the last write failed; `nil` if it succeeded.
    var unwritten: VaultError?
    /// Changes that couldn't be written yet.
    var unsaved: [Mutation] = []
    /// The service's keyset as last read from the record or written to it; at first, the keyset of the app.
    var storedKeyset: Data
    /// The numbers of the pending writes, in the order in which they were requested.
    var line: [Int] = []
    /// The running request; `nil` if there is none. Callers that would send the same request wait for it.
    var asking: Task<Void, Never>?
    /// When the user last asked for a check; `nil` if never in this process.
    var lastAsked: ClockReading?
    /// Whether an activation, deactivation or trial start is running, and which callers wait for it to finish.
    var isActing = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// The device limit from the server's latest list of devices; `nil` if there's no limit or it isn't known.
    var deviceLimit: Int?
    let shown: Shown?
    private var standings = 0
    private var verified: (license: ClientRecord.License, word: StoredLicense)?

    typealias Mutation = @Sendable (inout ClientRecord) -> Void

    package struct Settings: Sendable {
        /// The name of this installation in the vendor's lists.
        package let deviceName: String
        /// The operating system that this installation reports; `nil` to report none.
        package let system: DeviceSystem?
        /// The length in days of a trial that starts before a server has been reached; `nil` to allow none.
        package let trialDays: Int?

        /// Creates settings; a name that is too long for the server is cut, and a blank one is replaced.
        package init(deviceName: String, system: DeviceSystem? = nil, trialDays: Int? = nil) {
            self.deviceName = DeviceReport(name: deviceName).name ?? system?.name ?? DeviceReport.noName
            self.system = system
            self.trialDays = trialDays
        }
    }

    /// Creates an engine without reading anything or sending a request.
    ///
    /// - Parameter time: Shared with the service, which reads trusted time from it.
    package init(
        vault: any Vault, service: any LicenseService, clock: any DeviceClock, time: ClockTracker, settings: Settings,
        timeout: LockTimeout = .standard,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        shown = nil
        self.vault = vault
        self.service = service
        storedKeyset = Data(service.keyset())
        self.clock = clock
        self.time = time
        self.settings = settings
        self.timeout = timeout
        self.generator = generator
    }

    /// Creates an engine that always shows the same state, for previews.
    init(
        vault: any Vault, service: any LicenseService, clock: any DeviceClock, time: ClockTracker, settings: Settings,
        showing shown: Shown
    ) {
        self.vault = vault
        self.service = service
        storedKeyset = Data(service.keyset())
        self.clock = clock
        self.time = time
        self.settings = settings
        timeout = .standard
        generator = SystemRandomNumberGenerator()
        self.shown = shown
    }

    /// Decides the state from local data, without a request.
    ///
    /// - Parameters:
    ///   - reads: Whether to read the record again, in case another process has changed it.
    ///   - isInForeground: Whether the user is looking at the app, so that an unentitled user's next request is sooner.
    package func stand(reading reads: Bool = false, isInForeground: Bool = false) -> EngineStatus {
        if reads || record == nil { load() }
        let (_, trusted) = readClock()
        standings += 1
        if let shown {
            return EngineStatus(
                number: standings, resolution: shown.resolution, entitlements: shown.entitlements,
                license: shown.license,
                now: trusted.now, wakes: nil)
        }
        let situation = situation(at: trusted)
        let resolution = situation.resolve(at: trusted.now)
        var entitlements: [LeaseFacts.Grant] = []
        if resolution.state == .licensed, case .lease(let lease) = situation.license {
            entitlements = lease.entitlements.filter { $0.end.map { trusted.now < $0.timestamp } ?? true }
        }
        // Don't wait again for a time that has passed without causing a change.
        let changes = (entitlements.map { $0.end?.timestamp } + [resolution.explanation.changeMoment])
            .compactMap(\.self).filter { $0 > trusted.now }
        let occasion: RefreshPolicy.Occasion = isInForeground && !resolution.state.isEntitled ? .waiting : .idle
        let asks = step(on: occasion, at: trusted).time(from: trusted.now)
        return EngineStatus(
            number: standings, resolution: resolution, entitlements: entitlements,
            license: LicenseFacts(record ?? ClientRecord(), situation.license, deviceLimit: deviceLimit),
            now: trusted.now,
            wakes: (changes + [asks].compactMap(\.self)).min())
    }

    /// Decides whether to contact the server now.
    func step(
        on occasion: RefreshPolicy.Occasion, at trusted: TrustedTime, olderThan age: Int64 = RefreshPolicy.stale
    ) -> RefreshPolicy.Step {
        let stored = record ?? ClientRecord()
        let policy = RefreshPolicy(
            subject(at: trusted), confirmed: stored.confirmed?.timestamp, lastTry: stored.lastTry,
            lastAsked: lastAsked, maximumAge: age)
        return policy.next(on: occasion, at: trusted.now, reading: clock.read())
    }

    func readClock() -> (ClockReading, TrustedTime) {
        let reading = clock.read()
        return (reading, TrustedTime(reading, marks: record?.marks))
    }

    /// Whether the user may use paid features.
    func isEntitled(at trusted: TrustedTime) -> Bool {
        situation(at: trusted).resolve(at: trusted.now).state.isEntitled
    }

    private func situation(at trusted: TrustedTime) -> Situation {
        let stored = record ?? ClientRecord()
        return Situation(
            clock: trusted.verdict, license: storedLicense(), trial: stored.trial, terms: stored.terms,
            startsTrialOffline: settings.trialDays.map { $0 > 0 } ?? false,
            loss: stored.loss, unreached: stored.unreached, triedAt: stored.lastTry?.reading.wall.timestamp,
            unwritten: unwritten)
    }

    /// The stored license with the result of verifying its lease, of which a success is cached; `nil` if there is none.
    func storedLicense() -> StoredLicense? {
        if let damage { return .unreadable(damage) }
        guard let license = record?.license else { return nil }
        if let verified, verified.license == license { return verified.word }
        let (word, isVerified) = verify(license)
        // Don't cache a failure: the signing key may be received later, for example with another process's activation.
        if isVerified { verified = (license, word) }
        return word
    }

    /// Verifies a license's lease; a license without a lease counts as verified.
    private func verify(_ license: ClientRecord.License) -> (StoredLicense, isVerified: Bool) {
        let lease: SignedRefusal.Lease?
        do throws(LeaseProblem) {
            let bytes = license.lease.map { [UInt8]($0) }
            let facts: LeaseFacts? =
                if let bytes { try service.verify(kept: bytes, for: license.activation) } else { nil }
            lease = facts.map { SignedRefusal.Lease(facts: $0, bytes: bytes ?? []) }
        } catch {
            // A refusal applies even if the lease that came with it can't be verified.
            guard let refusal = license.refused else { return (.unverifiable(error), false) }
            return (.refused(refusal), false)
        }
        if let refusal = license.refused {
            let refusal = SignedRefusal(reasons: refusal.reasons, lease: lease, serverTime: refusal.serverTime)
            return (.refused(refusal), true)
        }
        return (lease.map { .lease($0.facts) } ?? .unconfirmed, true)
    }
}

extension RefreshPolicy.Step {
    fileprivate func time(from now: Timestamp) -> Timestamp? {
        switch self {
        case .refreshNow: now
        case .sleep(let until): until
        }
    }
}

extension VaultError {
    /// Whether the record is lost, so that it has to be replaced by a new one.
    var isFinal: Bool { code == .corrupted || code == .foreign }
}

/// A client's state at one time.
package struct EngineStatus: Sendable, Hashable {
    /// The sequence number of the decision; later decisions have greater numbers.
    package let number: Int
    /// The decided state and its reasons.
    package let resolution: Resolution
    /// The license's current entitlements; empty unless the state is `.licensed`.
    package let entitlements: [LeaseFacts.Grant]
    /// The stored license; `nil` if there isn't one.
    package let license: LicenseFacts?
    /// Trusted time when the state was decided.
    package let now: Timestamp
    /// When to decide again, because the state changes, an entitlement ends, or a request is due; `nil` for never.
    package let wakes: Timestamp?
}

extension LicenseEngine {
    /// Waits until no other activation, deactivation or trial start is running.
    ///
    /// If an activation and a deactivation overlapped, a license whose activation was released could remain stored
    /// here.
    ///
    /// A refresh doesn't take a turn, so entering a key never waits for a refresh on a slow network.
    func takeTurn() async {
        guard isActing else {
            isActing = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Starts the next waiting action.
    func endTurn() {
        guard !waiting.isEmpty else {
            isActing = false
            return
        }
        waiting.removeFirst().resume()
    }
}
