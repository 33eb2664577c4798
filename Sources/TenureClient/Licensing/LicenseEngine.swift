import Foundation
package import TenureCore
package import TenureVault

/// Keeps the record, decides by the law, and talks to the service; all reading, writing and waiting is here.
///
/// Every change is written as a function of the record that is stored then, so that two processes on one record lose
/// nothing of each other's.
package actor LicenseEngine {
    let vault: any Vault
    let service: any LicenseService
    let clock: any DeviceClock
    let settings: Settings
    let time: TimeKeeper
    let patience: Patience
    var generator: any RandomNumberGenerator & Sendable

    /// The record as it is known here; nil until it was looked for.
    var record: ClientRecord?
    /// Why the stored record cannot be read; `record` is then that of a first launch.
    var damage: VaultError?
    /// Why the record could not be written last.
    var unwritten: VaultError?
    /// Changes that could not be written yet.
    var unsaved: [Change] = []
    /// The writes that are under way, in the order in which they are done.
    var line: [Int] = []
    /// The question that is being asked now, which everybody waits for who would ask the same.
    var asking: Task<Void, Never>?
    /// When a person last asked, which a later process need not know.
    var lastAsked: ClockReading?
    /// Whether somebody is activating, deactivating or starting a trial, and who waits to.
    var isActing = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// How many devices may use the license, as the server listed them last.
    var deviceLimit: Int?
    let shown: Shown?
    private var standings = 0
    private var verified: (license: ClientRecord.License, word: StoredLicense)?

    typealias Change = @Sendable (inout ClientRecord) -> Void

    /// What the app was built with.
    package struct Settings: Sendable {
        /// What this installation is called in the vendor's lists.
        package let deviceName: String
        /// How long a trial lasts that is started before any server was reached; nil for none.
        package let trialDays: Int?

        /// Puts settings together.
        package init(deviceName: String, trialDays: Int? = nil) {
            self.deviceName = deviceName
            self.trialDays = trialDays
        }
    }

    /// Puts an engine together; nothing is read or asked.
    ///
    /// - Parameter time: Shared with the service, which asks it for the time.
    package init(
        vault: any Vault, service: any LicenseService, clock: any DeviceClock, time: TimeKeeper, settings: Settings,
        patience: Patience = .standard,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        shown = nil
        self.vault = vault
        self.service = service
        self.clock = clock
        self.time = time
        self.settings = settings
        self.patience = patience
        self.generator = generator
    }

    /// Puts an engine together that says the same whatever is stored.
    init(
        vault: any Vault, service: any LicenseService, clock: any DeviceClock, time: TimeKeeper, settings: Settings,
        showing shown: Shown
    ) {
        self.vault = vault
        self.service = service
        self.clock = clock
        self.time = time
        self.settings = settings
        patience = .standard
        generator = SystemRandomNumberGenerator()
        self.shown = shown
    }

    /// Decides the state from what is known here, without asking anybody.
    ///
    /// - Parameter reads: Whether to read the record anew, since another process may have written it.
    package func stand(reading reads: Bool = false) -> Standing {
        if reads || record == nil { load() }
        let (_, trusted) = look()
        standings += 1
        if let shown {
            return Standing(
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
        // A moment that has passed and changed nothing is not waited for again.
        let changes = (entitlements.map { $0.end?.timestamp } + [resolution.explanation.changeMoment])
            .compactMap(\.self).filter { $0 > trusted.now }
        let asks = step(on: .idle, at: trusted).moment(from: trusted.now)
        return Standing(
            number: standings, resolution: resolution, entitlements: entitlements,
            license: LicenseFacts(record ?? ClientRecord(), situation.license, deviceLimit: deviceLimit),
            now: trusted.now,
            wakes: (changes + [asks].compactMap(\.self)).min())
    }

    /// Decides whether to ask the server now.
    func step(
        on occasion: Cadence.Occasion, at trusted: TrustedTime, olderThan age: Int64 = Cadence.stale
    ) -> Cadence.Step {
        let known = record ?? ClientRecord()
        let cadence = Cadence(
            subject(at: trusted), confirmed: known.confirmed?.timestamp, lastTry: known.lastTry,
            lastAsked: lastAsked, patience: age)
        return cadence.next(on: occasion, at: trusted.now, reading: clock.read())
    }

    /// Reads the clocks against the marks.
    func look() -> (ClockReading, TrustedTime) {
        let reading = clock.read()
        return (reading, TrustedTime(reading, marks: record?.marks))
    }

    private func situation(at trusted: TrustedTime) -> Situation {
        let known = record ?? ClientRecord()
        return Situation(
            clock: trusted.verdict, license: storedLicense(), trial: known.trial, terms: known.terms,
            loss: known.loss, unreached: known.unreached, unwritten: unwritten)
    }

    /// The last word on the stored license; what was verified once is not verified again.
    func storedLicense() -> StoredLicense? {
        if let damage { return .unreadable(damage) }
        guard let license = record?.license else { return nil }
        if let verified, verified.license == license { return verified.word }
        let word = word(on: license)
        verified = (license, word)
        return word
    }

    private func word(on license: ClientRecord.License) -> StoredLicense {
        let lease: VerifiedNo.Lease?
        do throws(LeaseProblem) {
            let bytes = license.lease.map { [UInt8]($0) }
            let facts: LeaseFacts? =
                if let bytes { try service.verify(kept: bytes, for: license.activation) } else { nil }
            lease = facts.map { VerifiedNo.Lease(facts: $0, bytes: bytes ?? []) }
        } catch {
            // A no stands without the lease that came with it.
            guard let no = license.no else { return .unverifiable(error) }
            return .refused(no)
        }
        if let no = license.no {
            return .refused(VerifiedNo(reasons: no.reasons, lease: lease, serverTime: no.serverTime))
        }
        return lease.map { .lease($0.facts) } ?? .unconfirmed
    }
}

extension Cadence.Step {
    fileprivate func moment(from now: Timestamp) -> Timestamp? {
        switch self {
        case .refreshNow: now
        case .sleep(let until): until
        }
    }
}

extension VaultError {
    /// Whether the record is lost: nothing but writing a new one helps.
    var isFinal: Bool { code == .corrupted || code == .foreign }
}

/// Where a client stands at one moment.
package struct Standing: Sendable, Hashable {
    /// Counts the decisions of an engine; a greater one was made later.
    package let number: Int
    /// The state and why.
    package let resolution: Resolution
    /// What the license gives now; empty unless licensed.
    package let entitlements: [LeaseFacts.Grant]
    /// The license that is kept; nil without one.
    package let license: LicenseFacts?
    /// Trusted time at that moment.
    package let now: Timestamp
    /// When to look again by itself: the state changes, an entitlement ends, or the server is to be asked; nil for
    /// never.
    package let wakes: Timestamp?
}

extension LicenseEngine {
    /// Waits until no other act is being done. An activation and a deactivation that overlap could otherwise keep a
    /// license here whose place was given back.
    ///
    /// Asking whether a license is in order takes no turn: nobody who enters a key waits for a slow network behind it.
    func takeTurn() async {
        guard isActing else {
            isActing = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next act be done.
    func endTurn() {
        guard !waiting.isEmpty else {
            isActing = false
            return
        }
        waiting.removeFirst().resume()
    }
}
