import Foundation
import TenureClient
import TenureCore
import Testing

/// What the developer's log receives.
@MainActor @Suite struct LogTests {
    @Test func `questions, answers and decisions are heard in their order`() async throws {
        let app = App()
        app.issue("KEY-A", days: 30)
        let heard = HeardEntries()
        let manager = app.start(hear: heard.hear)
        await manager.launch()
        #expect(
            heard.drain() == [
                "info state.decided expired", "debug question.sent configuration",
                "info question.answered configuration", "info state.decided expired",
            ])
        try await manager.activate("KEY-A")
        #expect(
            heard.drain() == [
                "debug question.sent activate", "info question.answered activate", "info state.decided licensed",
            ])
        app.goOffline()
        app.clock.pass(7 * 3_600)
        await manager.refreshIfNeeded()
        #expect(heard.entries.last { $0.code == "question.unanswered" }?.facts["cause"] == "offline")
        #expect(heard.entries.last { $0.code == "question.unanswered" }?.level == .warning)
    }

    @Test func `a no is heard with its reason, and a record that cannot be read as an error`() async throws {
        let app = App()
        app.issue()
        let heard = HeardEntries()
        let manager = app.start(hear: heard.hear)
        try await manager.activate("KEY-A")
        app.vendor.change { $0.licenses["KEY-A"]?.state = .revoked }
        await manager.checkNow()
        let no = try #require(heard.entries.last { $0.code == "question.answered" })
        #expect(no.facts["outcome"] == "no" && no.facts["reason"] == "license_revoked")
    }

    @Test func `nothing secret is heard`() async throws {
        let app = App()
        app.issue("KEY-A")
        let heard = HeardEntries()
        let manager = app.start(hear: heard.hear)
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
        let text = heard.entries.map { "\($0)" }.joined()
        #expect(secrets.allSatisfy { !text.contains($0) })
        #expect(
            Set(heard.entries.compactMap { $0.facts["question"] }).isSuperset(of: ["activate", "renew", "release"]))
    }

    @Test func `who listens makes no other configuration`() {
        var one = LicenseConfiguration(server: "https://a.example", tenant: "acme", product: "notes")
        let other = one
        one.log = { _ in }
        #expect(one == other && one.hashValue == other.hashValue)
    }
}
