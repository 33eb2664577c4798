import Foundation
import TenureClient
import TenureCore
import Testing

@MainActor @Suite struct EntitlementTests {
    @Test func `an entitlement has the value in its lease and expires at its own end`() async throws {
        let app = App()
        app.issue()
        app.vendor.change {
            $0.entitlements = [
                LeaseFacts.Grant("sync", value: "25"), LeaseFacts.Grant("beta", end: Given.after(Given.day)),
            ]
        }
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        #expect(manager.entitlement("sync")?.value == "25")
        #expect(manager.hasEntitlement("beta"))
        #expect(!manager.hasEntitlement("other"))
        app.goOffline()
        app.clock.pass(Given.day)
        await manager.refreshIfNeeded()
        #expect(manager.state == .licensed)
        #expect(manager.hasEntitlement("sync"))
        #expect(!manager.hasEntitlement("beta"))
        app.clock.pass(10 * Given.day)
        await manager.refreshIfNeeded()
        #expect(manager.state == .expired)
        #expect(manager.entitlements.isEmpty)
    }

    @Test(arguments: [nil, ["sync"], []] as [Set<String>?])
    func `a trial includes every entitlement, or only those that the app declares for trials`(
        built: Set<String>?
    ) async throws {
        let app = App()
        let manager = app.start(trialEntitlements: built)
        await manager.launch()
        #expect(!manager.hasEntitlement("sync"))
        try await manager.startTrial()
        #expect(manager.hasEntitlement("sync") == (built?.contains("sync") ?? true))
        #expect(manager.hasEntitlement("beta") == (built == nil))
        app.clock.pass(14 * Given.day)
        await manager.refreshIfNeeded()
        #expect(!manager.hasEntitlement("sync"))
    }

    @Test func `in the limited state, a license's entitlements aren't available`() async throws {
        let app = App()
        app.issue(days: 3, fallback: true)
        app.vendor.change { $0.entitlements = [LeaseFacts.Grant("sync")] }
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        #expect(manager.hasEntitlement("sync"))
        app.clock.pass(4 * Given.day)
        await manager.refreshIfNeeded()
        #expect(manager.state == .limited)
        #expect(!manager.hasEntitlement("sync"))
    }

    @Test(arguments: [nil, ["sync"]] as [Set<String>?])
    func `a query for an entitlement that the app hasn't declared returns nothing and is logged once as an error`(
        trial: Set<String>?
    ) async throws {
        let app = App()
        let (received, stops) = (HeardEntries(), Box())
        let manager = app.start(
            entitlements: ["sync", "export"], trialEntitlements: trial, hear: received.hear,
            stop: { stops.messages.append($0) })
        await manager.launch()
        try await manager.startTrial()
        #expect(manager.hasEntitlement("sync"))
        #expect(manager.hasEntitlement("export") == (trial == nil))
        #expect(stops.messages.isEmpty)
        #expect(!manager.hasEntitlement("exprot"))
        #expect(manager.entitlement("exprot") == nil)
        #expect(stops.messages.count == 2)
        let entries = received.entries.filter { $0.code == "entitlement.undeclared" }
        #expect(entries.map(\.facts) == [["name": "exprot"]])
        #expect(entries.first?.level == .error)
    }

    @Test func `an undeclared entitlement that a license grants is logged once`() async throws {
        let app = App()
        app.issue()
        app.vendor.change { $0.entitlements = [LeaseFacts.Grant("sync"), LeaseFacts.Grant("sinc")] }
        let received = HeardEntries()
        let manager = app.start(entitlements: ["sync"], hear: received.hear)
        try await manager.activate("KEY-A")
        await manager.checkNow()
        #expect(manager.entitlements.count == 2)
        #expect(received.entries.filter { $0.code == "entitlement.unused" }.map(\.facts) == [["name": "sinc"]])
    }

    @Test func `a configuration whose trial includes an undeclared entitlement is refused`() {
        var configuration = LicenseConfiguration(server: "https://licenses.example", tenant: "acme", product: "notes")
        configuration.signingKeys = ["k1": "ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ="]
        configuration.deviceIdentifier = "device-0001"
        configuration.entitlements = ["export"]
        configuration.trialEntitlements = ["export", "exprot"]
        #expect(throws: LicenseError.self) { try LicenseManager(configuration) }
        configuration.trialEntitlements = ["export"]
        #expect(throws: Never.self) { try LicenseManager(configuration) }
    }

    private final class Box {
        var messages: [String] = []
    }
}
