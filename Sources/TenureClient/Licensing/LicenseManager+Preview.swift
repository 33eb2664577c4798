import TenureCore

extension LicenseManager {
    /// Makes a manager that shows a state and stays in it: for previews and for tests of views.
    ///
    /// It reads and writes no file, clock or network; what a person does is answered `.unreached`.
    ///
    /// - Parameter explanation: Why; nil for what is usual in that state.
    public static func preview(
        _ state: LicenseState, license: LicenseFacts? = nil, entitlements: [LicenseEntitlement] = [],
        explanation: Explanation? = nil
    ) -> LicenseManager {
        let resolution = Resolution(state: state, explanation: explanation ?? Explanation(state.usualReason))
        let grants = entitlements.map {
            LeaseFacts.Grant($0.name, value: $0.value, end: $0.end.map { Moment(Timestamp($0)) })
        }
        let clock = StoppedClock()
        let engine = LicenseEngine(
            vault: MemoryVault(), service: NoService(), clock: clock, time: TimeKeeper(clock),
            settings: LicenseEngine.Settings(deviceName: "Preview"),
            showing: LicenseEngine.Shown(resolution: resolution, entitlements: grants, license: license))
        let manager = LicenseManager(engine: engine)
        manager.adopt(
            Standing(
                number: 1, resolution: resolution, entitlements: grants, license: license,
                now: clock.read().wall.timestamp,
                wakes: nil))
        return manager
    }
}

extension LicenseEngine {
    /// What is shown whatever is stored.
    struct Shown: Sendable {
        let resolution: Resolution
        let entitlements: [LeaseFacts.Grant]
        let license: LicenseFacts?
    }
}

extension LicenseState {
    /// What one would expect to read beside the state.
    fileprivate var usualReason: Reason {
        switch self {
        case .notDetermined: .notLookedYet
        case .trial: Reason(.trialRunning)
        case .licensed: Reason(.leaseHolds)
        case .limited, .expired: Reason(.licenseExpired)
        case .freeTier: Reason(.freeTier)
        case .invalid: Reason(.licenseRevoked)
        }
    }
}

/// A clock that stands, at 2026-01-01T00:00:00Z.
private struct StoppedClock: DeviceClock {
    func read() -> ClockReading {
        ClockReading(wall: Timestamp(seconds: 1_767_225_600), uptime: 0, boot: "preview")
    }
}

/// No server at all.
private struct NoService: LicenseService {
    let dialect = Dialect.tenure
    private let silence = Unreached(.offline, "This is a preview; there is no server.")

    func activate(key: String, name: String, freeTier: String?) async -> Answer<LeaseGrant> { .unknown(silence) }
    func renew(_ activation: HeldActivation, notBefore: Moment?) async -> Answer<LeaseGrant> { .unknown(silence) }
    func release(_ activation: HeldActivation) async -> Answer<Released> { .unknown(silence) }
    func trial(startedAt: Moment?) async -> Answer<TrialStart> { .unknown(silence) }
    func configuration() async -> Answer<ProductTerms> { .unknown(silence) }
    func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts {
        throw .malformed
    }
    func keyset() -> [UInt8] { [] }
    func trust(keyset: [UInt8]) {}
}
