import TenureClient
import TenureCore
import TenureLicensing
import TenureVault

/// An installed app with its record, its device's clock and its vendor. A test can start it any number of times.
@MainActor
struct App {
    let clock: SettableClock
    let vendor: Vendor
    let vault = MemoryVault()
    let trialDays: Int?
    private let store: (any Vault)?

    /// - Parameter store: The vault to use instead of `vault`; `nil` to use `vault`.
    init(dialect: Dialect = .tenure, trialDays: Int? = nil, store: (any Vault)? = nil) {
        clock = SettableClock()
        vendor = Vendor(clock, dialect: dialect)
        self.store = store
        self.trialDays = trialDays
    }

    /// Starts another process on the same record.
    ///
    /// - Parameters:
    ///   - system: The operating system that the process runs on.
    ///   - name: The device's name.
    func start(
        entitlements: Set<String>? = nil, trialEntitlements: Set<String>? = nil, system: DeviceSystem? = nil,
        name: String = "Test",
        launchPatience: Duration = .seconds(60), languages: [String] = ["en"],
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        hear: (@Sendable (LicenseLogEntry) -> Void)? = nil,
        stop: @escaping (String) -> Void = { assertionFailure($0) }
    ) -> LicenseManager {
        LicenseManager(
            engine: engine(system, name, hear), entitlements: entitlements, trialEntitlements: trialEntitlements,
            launchPatience: launchPatience, languages: languages, stop: stop, sleep: sleep, hear: hear)
    }

    /// Starts another process and runs its launch check.
    func launch() async -> LicenseManager {
        let manager = start()
        await manager.launch()
        return manager
    }

    private func engine(
        _ system: DeviceSystem?, _ name: String, _ hear: (@Sendable (LicenseLogEntry) -> Void)?
    ) -> LicenseEngine {
        LicenseEngine(
            vault: store ?? vault, service: hear.map { LoggedService(vendor, hear: $0) } ?? vendor, clock: clock,
            time: ClockTracker(clock),
            settings: LicenseEngine.Settings(deviceName: name, system: system, trialDays: trialDays),
            generator: SeededGenerator(seed: 7))
    }

    func issue(_ key: String = "KEY-A", days: Int? = nil, fallback: Bool = false) {
        let end = days.map { clock.truth.adding(days: $0) }
        vendor.change { $0.licenses[key] = Vendor.Grant(termEnd: end, hasFallback: fallback) }
    }

    /// Disconnects the network or reconnects it.
    func goOffline(_ isOffline: Bool = true) {
        vendor.change { $0.outage = isOffline ? RequestFailure(.offline, "There is no network.") : nil }
    }
}

extension LicenseManager {
    /// Launches, and also waits for the launch's request to finish.
    func launch() async {
        await checkOnLaunch()
        await launchQuestion?.value
    }
}
