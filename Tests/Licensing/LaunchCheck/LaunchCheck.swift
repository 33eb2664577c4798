import Foundation
import TenureClient

/// Launches an app without a network in the folder `LAUNCH_FOLDER`, and prints its state and the first reason. With
/// `LAUNCH_TRIAL` it starts a 14-day trial.
///
/// The settings are environment variables, because Swift programs get no arguments under libfaketime.
@main struct LaunchCheck {
    @MainActor static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        var configuration = LicenseConfiguration(server: "http://127.0.0.1:1", tenant: "acme", product: "notes")
        configuration.keyTrust = .served
        configuration.deviceIdentifier = "launch-check"
        configuration.folder = environment["LAUNCH_FOLDER"]
        configuration.trialDays = 14
        let manager = try LicenseManager(configuration)
        await manager.checkOnLaunch()
        // Waits for background writes of the launch, which the program's end would cut off.
        await manager.refreshIfNeeded()
        if environment["LAUNCH_TRIAL"] != nil { try await manager.startTrial() }
        print(manager.state, manager.explanation.reasons[0].code)
    }
}
