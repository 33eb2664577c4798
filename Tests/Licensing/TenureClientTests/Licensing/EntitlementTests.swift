import Foundation
import TenureClient
import TenureCore
import Testing

@MainActor @Suite struct EntitlementTests {
    @Test func `a capability has its value and ends at its own end`() async throws {
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

    @Test(arguments: [nil, ["sync"], []] as [Set<String>?]) func `a trial opens all, or what the app was built with`(
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

    @Test func `the reduced mode gives no capability`() async throws {
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
}
