import Foundation
import TenureClient
import TenureCore
import Testing

/// The texts of the public values that an app may print.
@MainActor @Suite struct PrintingTests {
    @Test func `printing a public value shows no internal type and no secret`() async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        var values: [Any] = [manager.state, manager.explanation, manager.explanation.reasons]
        values.append(try await manager.activate("KEY-A"))
        values += [manager.state, manager.explanation, manager.license as Any, manager.entitlements]
        values.append(try await manager.activate("KEY-B"))
        app.goOffline()
        values.append(await manager.checkNow())
        do { _ = try await manager.devices() } catch { values.append(error) }
        var configuration = LicenseConfiguration(server: "https://licenses.example", tenant: "acme", product: "notes")
        (configuration.sdkKey, configuration.deviceIdentifier) = ("sdk_secret", "device-secret")
        configuration.log = { _ in }
        values += [
            configuration, LicenseError(.noDevice, "none"), LicenseLogEntry(level: .info, code: "a", message: ""),
        ]
        values.append(LicenseTransition(from: .expired, to: .licensed, explanation: manager.explanation))
        let device = LicenseDevices.Device(id: "a", name: "b", activatedAt: .now, lastSeenAt: .now)
        values += [LicenseDevices(devices: [device]), LicenseEntitlement(name: "sync")]
        let inner = [
            "TenureCore", "TenureLicensing", "TenureVault", "Evidence", "decided", "Kind(", "TextStyle", "style",
            "Listener", "secret", "isMade", "Timestamp",
        ]
        for value in values {
            for text in ["\(value)", String(reflecting: value), "\([value])"] {
                #expect(inner.filter(text.contains) == [], "\(text)")
            }
        }
        #expect(
            "\(LicenseAnswer.refused(Explanation(.noFreeTier)))".contains("no_free_tier: The product has no free plan.")
        )
    }
}
