import Foundation
import TenureClient

/// An installed app: its license folder and its server.
struct App {
    private var configuration: LicenseConfiguration

    /// Returns `nil` for an unknown dialect.
    init?(server: String, dialect: String, folder: String) {
        guard let dialect = Dialect(rawValue: dialect) else { return nil }
        configuration = LicenseConfiguration(server: server, tenant: "acme", product: "notes")
        configuration.dialect = dialect
        configuration.folder = folder
        configuration.keyTrust = .served
        configuration.deviceIdentifier = "bench-client"
        configuration.deviceName = "Bench device"
    }

    func activate(_ key: String, times count: Int) async throws {
        try await measure(count) {
            let manager = try await LicenseManager(configuration)
            let start = ContinuousClock.now
            guard case .done = try await manager.activate(key) else { fail("bench-client: the activation failed") }
            return (manager, .now - start)
        }
    }

    /// Times each launch from before the manager exists until the state is published, which is before any request.
    func launch(times count: Int) async throws {
        try await measure(count) {
            let start = ContinuousClock.now
            let manager = try await LicenseManager(configuration)
            let decision = await Decision(of: manager)
            await manager.checkOnLaunch()
            guard let decided = await decision.instant else { fail("bench-client: the launch decided nothing") }
            return (manager, decided - start)
        }
    }

    func refresh(times count: Int, clock path: String) async throws {
        var configuration = configuration
        configuration.clockFile = path
        let manager = try await LicenseManager(configuration)
        var passed = try Int(String(contentsOfFile: path, encoding: .utf8)) ?? 0
        try await measure(count) {
            passed += 7 * 3_600
            try String(passed).write(toFile: path, atomically: true, encoding: .utf8)
            let start = ContinuousClock.now
            await manager.refreshIfNeeded()
            return (manager, .now - start)
        }
    }

    /// Launches a licensed app whose last response is hours old, against a server that never responds. Each launch is
    /// timed until the app may continue.
    func silent(times count: Int, clock path: String) async throws {
        var configuration = configuration
        configuration.clockFile = path
        var passed = try Int(String(contentsOfFile: path, encoding: .utf8)) ?? 0
        try await measure(count) {
            passed += 7 * 3_600
            try String(passed).write(toFile: path, atomically: true, encoding: .utf8)
            let start = ContinuousClock.now
            let manager = try await LicenseManager(configuration)
            await manager.checkOnLaunch()
            return (manager, .now - start)
        }
    }

    func idle(_ key: String) async throws {
        let manager = try await LicenseManager(configuration)
        await manager.checkOnLaunch()
        // The network thread exists after this, as in an app that has been used.
        try await manager.activate(key)
        try await mustBeLicensed(manager)
        print("idle")
        fflush(nil)
        await manager.run()
    }

    /// Sleeps without licensing, as the baseline cost of any Swift program.
    func nothing() async throws {
        print("idle")
        fflush(nil)
        try await Task.sleep(for: .seconds(3_600))
    }

    /// Runs an action several times, and prints its duration and its cost on the main actor.
    ///
    /// The first run is reported separately, because the runtime and the libraries initialize during it.
    private func measure(_ count: Int, _ act: () async throws -> (LicenseManager, Duration)) async throws {
        var times: [Double] = []
        var first = MainActorWatch.Longest()
        for turn in 0..<count {
            let (manager, time) = try await act()
            times.append(time / .microseconds(1))
            if turn == 0 { first = await MainActorWatch.shared.take() }
            try await mustBeLicensed(manager)
        }
        let later = await MainActorWatch.shared.take()
        let sorted = times.sorted()
        print(
            """
            {"first": \(times[0]), "p50": \(sorted[count / 2]), "p99": \(sorted[count * 99 / 100]), \
            "first work": \(first.wall), "first CPU": \(first.processor), \
            "work": \(later.wall), "CPU": \(later.processor)}
            """)
    }

    private func mustBeLicensed(_ manager: LicenseManager) async throws {
        guard await manager.state == .licensed, await manager.isEntitled else {
            fail("bench-client: not licensed: \(await manager.explanation.reasons[0].message)")
        }
    }
}
