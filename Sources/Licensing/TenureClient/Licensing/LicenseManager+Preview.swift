import TenureCore
import TenureLicensing

extension LicenseManager {
    /// Creates a manager with a fixed state, for previews and for tests of views.
    ///
    /// It uses no files, clock or network. Actions that need the server are answered with `.unreached`.
    ///
    /// - Parameter explanation: The reasons for the state; `nil` for typical ones.
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
            vault: MemoryVault(), service: NoService(), clock: clock, time: ClockTracker(clock),
            settings: LicenseEngine.Settings(deviceName: "Preview"),
            showing: LicenseEngine.Shown(resolution: resolution, entitlements: grants, license: license))
        let manager = LicenseManager(engine: engine)
        manager.adopt(
            EngineStatus(
                number: 1, resolution: resolution, entitlements: grants, license: license,
                now: clock.read().wall.timestamp,
                wakes: nil))
        return manager
    }
}

extension LicenseEngine {
    /// The fixed values that a preview shows.
    struct Shown: Sendable {
        let resolution: Resolution
        let entitlements: [LeaseFacts.Grant]
        let license: LicenseFacts?
    }
}

extension LicenseState {
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

/// A clock that always shows 2026-01-01T00:00:00Z.
private struct StoppedClock: DeviceClock {
    func read() -> ClockReading {
        ClockReading(wall: Timestamp(seconds: 1_767_225_600), uptime: 0, boot: "preview")
    }
}

/// A license service that never reaches a server.
private struct NoService: LicenseService {
    let dialect = Dialect.tenure
    private let silence = RequestFailure(.offline, "This is a preview without a server.")

    func activate(
        key: String, name: String, system: DeviceSystem?, freeTier: String?
    ) async -> Answer<LeaseGrant> { .unknown(silence) }
    func renew(
        _ activation: HeldActivation, notBefore: Moment?, name: String?, reporting system: DeviceSystem?
    ) async -> Answer<LeaseGrant> { .unknown(silence) }
    func release(_ activation: HeldActivation) async -> Answer<Released> { .unknown(silence) }
    func trial(startedAt: Moment?, name: String, system: DeviceSystem?) async -> Answer<TrialStart> {
        .unknown(silence)
    }
    func configuration() async -> Answer<ProductTerms> { .unknown(silence) }
    func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts {
        throw .malformed
    }
    func keyset() -> [UInt8] { [] }
    func trust(keyset: [UInt8], ifUnchangedSince earlier: [UInt8]) -> [UInt8] { keyset }
}
