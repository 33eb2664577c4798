import Foundation
import TenureClient

/// Launches an app without a network, in the folder that `LAUNCH_FOLDER` names, and prints its state and the first
/// reason; with `LAUNCH_TRIAL` it starts a trial of 14 days.
///
/// It reads no arguments: under libfaketime, Swift programs are given none.
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
        // What is written beside the launch would end with this program.
        await manager.refreshIfNeeded()
        if environment["LAUNCH_TRIAL"] != nil { try await manager.startTrial() }
        print(manager.state, manager.explanation.reasons[0].code)
    }
}
