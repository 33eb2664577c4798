import Foundation
import TenureClient
import TenureCore
import Testing

/// How an app is notified about its license.
@MainActor @Suite(.serialized) struct TransitionTests {
    @Test func `each stream of transitions receives every change of state once and in order`() async throws {
        let app = App()
        app.issue()
        let manager = app.start()
        let one = manager.transitions
        let other = manager.transitions
        await manager.launch()
        try await manager.startTrial()
        app.clock.pass(Given.day)
        await manager.refreshIfNeeded()
        try await manager.activate("KEY-A")
        app.clock.pass(Given.day)
        await manager.refreshIfNeeded()
        try await manager.deactivate()
        let expected: [LicenseState] = [
            .expired, .trial(daysLeft: 14), .trial(daysLeft: 13), .licensed, .trial(daysLeft: 12),
        ]
        for stream in [one, other] {
            var seen: [LicenseTransition] = []
            for await transition in stream {
                seen.append(transition)
                if seen.count == expected.count { break }
            }
            #expect(seen.map(\.to) == expected)
            #expect(seen.map(\.from) == [.notDetermined] + expected.dropLast())
        }
    }

    @Test func `an unknown license key is sent a second time without the characters that copying introduced`()
        async throws
    {
        let app = App()
        app.issue("KEY-A")
        let manager = app.start()
        #expect(try await manager.activate("\u{FEFF}key\u{2011}a\u{A0}") == .done)
        #expect(manager.state == .licensed)
        await manager.checkNow()
        #expect(manager.state == .licensed)
        #expect(app.vendor.requests.filter { $0 == "activate" }.count == 2)
        #expect(try await manager.activate("KEY\u{2011}B") != .done)
        #expect(try await manager.activate("KEY-C") != .done)
        #expect(app.vendor.requests.filter { $0 == "activate" }.count == 5)
    }

    @Test func `an app can set and read its license manager as Keylight.manager`() async throws {
        let app = App()
        let manager = await app.launch()
        try await manager.startTrial()
        Keylight.manager = manager
        #expect(Keylight.manager.state == .trial(daysLeft: 14))
    }

    @Test func `a license model has its manager's state, explanation, entitlements and license`() async throws {
        let app = App()
        app.issue()
        app.vendor.change { $0.entitlements = [LeaseFacts.Grant("sync", value: "25")] }
        let manager = app.start()
        let model = LicenseModel(manager)
        await manager.launch()
        #expect(model.explanation == manager.explanation)
        try await manager.activate("KEY-A")
        #expect(model.state == .licensed)
        #expect(model.isEntitled)
        #expect(model.entitlements.map(\.name) == ["sync"])
        #expect(model.license != nil)
        #expect(model.license == manager.license)
    }
}
