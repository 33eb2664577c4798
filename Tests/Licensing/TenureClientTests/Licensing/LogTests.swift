import Foundation
import TenureClient
import TenureCore
import Testing

/// The entries that an app's log handler receives.
@MainActor @Suite struct LogTests {
    @Test func `requests, responses and the states that follow from them are logged in order`() async throws {
        let app = App()
        app.issue("KEY-A", days: 30)
        let received = HeardEntries()
        let manager = app.start(hear: received.hear)
        await manager.launch()
        #expect(
            received.drain() == [
                "info state.decided expired", "debug question.sent configuration",
                "info question.answered configuration", "info state.decided expired",
            ])
        try await manager.activate("KEY-A")
        #expect(
            received.drain() == [
                "debug question.sent activate", "info question.answered activate", "info state.decided licensed",
            ])
        app.goOffline()
        app.clock.pass(7 * 3_600)
        await manager.refreshIfNeeded()
        #expect(received.entries.last { $0.code == "question.unanswered" }?.facts["cause"] == "offline")
        #expect(received.entries.last { $0.code == "question.unanswered" }?.level == .warning)
    }

    @Test func `a refusal is logged with its reason`() async throws {
        let app = App()
        app.issue()
        let received = HeardEntries()
        let manager = app.start(hear: received.hear)
        try await manager.activate("KEY-A")
        app.vendor.change { $0.licenses["KEY-A"]?.state = .revoked }
        await manager.checkNow()
        let no = try #require(received.entries.last { $0.code == "question.answered" })
        #expect(no.facts["outcome"] == "no" && no.facts["reason"] == "license_revoked")
    }

    @Test func `neither license keys nor activation ids are logged`() async throws {
        let app = App()
        app.issue("KEY-A")
        let received = HeardEntries()
        let manager = app.start(hear: received.hear)
        await manager.launch()
        try await manager.activate("KEY-A")
        app.clock.pass(7 * 3_600)
        await manager.refreshIfNeeded()
        _ = try? await manager.devices()
        try await manager.deactivate()
        var secrets = ["KEY-A"]
        for (said, _) in app.vendor.drain() {
            if case .activated(let activation, let facts) = said {
                secrets += [activation.activation, facts.activation]
            }
        }
        #expect(secrets.count > 1)
        let text = received.entries.map { "\($0)" }.joined()
        #expect(secrets.allSatisfy { !text.contains($0) })
        #expect(
            Set(received.entries.compactMap { $0.facts["question"] }).isSuperset(of: ["activate", "renew", "release"]))
    }

    @Test func `configurations that differ only in their log handlers are equal`() {
        var one = LicenseConfiguration(server: "https://a.example", tenant: "acme", product: "notes")
        let other = one
        one.log = { _ in }
        #expect(one == other && one.hashValue == other.hashValue)
    }
}
