import Foundation
import TenureClient
import TenureCore
import TenureVault
import Testing

/// Checks with the server that a person requests with `checkNow()`.
@MainActor @Suite struct CheckNowTests {
    private let day: Int64 = 86_400

    private func licensed(_ dialect: Dialect = .tenure) async throws -> (App, LicenseManager) {
        let app = App(dialect: dialect)
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        return (app, manager)
    }

    @Test(arguments: [Dialect.tenure, .keylight])
    func `checking now makes a license valid again although the clock is set back`(dialect: Dialect)
        async throws
    {
        let (app, manager) = try await licensed(dialect)
        app.clock.pass(1)
        app.clock.turnWall(by: -3 * day)
        await manager.refreshIfNeeded()
        #expect(manager.state == .invalid)
        #expect(await manager.checkNow() == .done)
        #expect(manager.state == .licensed)
    }

    @Test func `without a license, checking now restores the free tier although the clock is set back`() async {
        let app = App()
        app.vendor.change { $0.terms = ProductTerms(trialDays: 0, freeTier: true) }
        let manager = await app.launch()
        app.clock.turnWall(by: -3 * day)
        await manager.refreshIfNeeded()
        #expect(manager.state == .invalid)
        #expect(await manager.checkNow() == .done)
        #expect(manager.state == .freeTier)
    }

    @Test func `a trial that is extended after its end continues once the app checks now or starts the trial again`()
        async throws
    {
        for isStartedAgain in [true, false] {
            let app = App()
            let manager = await app.launch()
            try await manager.startTrial()
            app.clock.pass(15 * day)
            await manager.refreshIfNeeded()
            #expect(manager.state == .expired)
            #expect(try await manager.startTrial() == .done)
            #expect(manager.state == .expired, "it hasn't been extended yet")
            app.vendor.change { $0.extraDays = 8 }
            if isStartedAgain {
                #expect(try await manager.startTrial() == .done)
            } else {
                app.clock.pass(10)
                #expect(await manager.checkNow() == .done)
            }
            #expect(manager.state == .trial(daysLeft: 7))
        }
    }

    @Test func `the daily check applies the extension of a running trial`() async throws {
        let app = App()
        let manager = await app.launch()
        try await manager.startTrial()
        app.vendor.change { $0.extraDays = 8 }
        app.clock.pass(day)
        await manager.refreshIfNeeded()
        #expect(manager.state == .trial(daysLeft: 21))
    }

    @Test func `checking now makes a reinstated license valid before the next automatic check`() async throws {
        let (app, manager) = try await licensed()
        app.vendor.change { $0.licenses["KEY-A"]?.state = .suspended }
        #expect(await manager.checkNow() == .done)
        #expect(manager.state == .invalid)
        app.vendor.change { $0.licenses["KEY-A"]?.state = .open }
        app.clock.pass(10)
        await manager.refreshIfNeeded()
        #expect(manager.state == .invalid)
        #expect(await manager.checkNow() == .done)
        #expect(manager.state == .licensed)
    }

    @Test func `checking now restores a license that was renewed or whose lease lapsed offline`() async throws {
        let (app, manager) = try await licensed()
        app.goOffline()
        app.clock.pass(8 * day)
        await manager.refreshIfNeeded()
        #expect(manager.state == .expired)
        app.goOffline(false)
        await manager.refreshIfNeeded()
        #expect(manager.state == .expired)
        #expect(await manager.checkNow() == .done)
        #expect(manager.state == .licensed)
        let now = app.clock.truth
        app.vendor.change { $0.licenses["KEY-A"]?.termEnd = now }
        app.clock.pass(10)
        await manager.checkNow()
        #expect(manager.state == .expired)
        app.vendor.change { $0.licenses["KEY-A"]?.termEnd = nil }
        app.clock.pass(10)
        await manager.checkNow()
        #expect(manager.state == .licensed)
    }

    @Test
    func `checking now without a connection reports server_unreached and doesn't change the state`() async throws {
        let (app, manager) = try await licensed()
        app.goOffline()
        guard case .unreached(let why) = await manager.checkNow() else {
            Issue.record("answered")
            return
        }
        #expect(why.reasons.map(\.code) == ["server_unreached"])
        #expect(manager.state == .licensed)
    }

    @Test func `a lapsed lease is renewed when the network returns, and a second network report sends no request`()
        async throws
    {
        let (app, manager) = try await licensed()
        app.goOffline()
        app.clock.pass(8 * day)
        await manager.refreshIfNeeded()
        #expect(manager.state == .expired)
        app.goOffline(false)
        app.clock.pass(1)
        await manager.networkMayBeBack()
        #expect(manager.state == .licensed)
        let before = app.vendor.requests.count
        await manager.networkMayBeBack()
        #expect(app.vendor.requests.count == before)
    }

    @Test func `a hundred checks within ten seconds send one request`() async throws {
        let (app, manager) = try await licensed()
        let before = app.vendor.requests.count
        for _ in 0..<50 { #expect(await manager.checkNow() == .done) }
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { _ = await manager.checkNow() } }
        }
        #expect(app.vendor.requests.dropFirst(before) == ["renew"])
        app.clock.pass(10)
        await manager.checkNow()
        #expect(app.vendor.requests.dropFirst(before) == ["renew", "renew"])
    }

    @Test func `until the server's retry time, checking now sends no request and says when to try again`() async throws
    {
        let (app, manager) = try await licensed()
        app.vendor.change { $0.outage = RequestFailure(.busy, "503", retryAfter: 900, code: "server_busy") }
        await manager.checkNow()
        let requestCount = app.vendor.requests.count
        app.clock.pass(899)
        app.goOffline(false)
        guard case .unreached(let why) = await manager.checkNow() else {
            Issue.record("answered")
            return
        }
        #expect(why.changesAt?.timeIntervalSince1970 == Double(app.clock.truth.adding(seconds: 1).seconds))
        #expect(why.reasons.map(\.code) == ["server_unreached", "server_unreached"])
        #expect(app.vendor.requests.count == requestCount)
        app.clock.pass(1)
        #expect(await manager.checkNow() == .done)
        #expect(app.vendor.requests.count == requestCount + 1)
    }

    @Test func `checking now during a request sends another request only if the first fails`()
        async throws
    {
        for isOffline in [true, false] {
            let (app, manager) = try await licensed()
            app.goOffline(isOffline)
            app.clock.pass(7 * 3_600)
            let before = app.vendor.requests.count
            let (gate, opening) = AsyncStream<Void>.makeStream()
            app.vendor.change { $0.gates["renew"] = gate }
            let look = Task { await manager.refreshIfNeeded() }
            while app.vendor.requests.count == before { await Task.yield() }
            let presses = (0..<3).map { _ in Task { await manager.checkNow() } }
            for _ in 0..<1_000 { await Task.yield() }
            app.goOffline(false)
            opening.finish()
            await look.value
            for press in presses { #expect(await press.value == .done) }
            #expect(app.vendor.requests.count == before + (isOffline ? 2 : 1))
        }
    }

    @Test func `checking now with an unreadable record reports record_unreadable and sends no request`() async throws {
        let (app, _) = try await licensed()
        app.vault.fail(with: VaultError(.unreadable, "It is locked."))
        let manager = await app.launch()
        let requestCount = app.vendor.requests.count
        guard case .unreached(let why) = await manager.checkNow() else {
            Issue.record("answered")
            return
        }
        #expect(why.reasons[0].code == "record_unreadable")
        #expect(app.vendor.requests.count == requestCount)
    }
}
