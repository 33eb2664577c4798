import Foundation
import TenureClient
import TenureCore
import Testing

@MainActor @Suite struct LicenseManagerTests {
    private let day: Int64 = 86_400

    @Test(arguments: [(nil, false), (0, false), (14, true)] as [(Int?, Bool)])
    func `after a first launch offline the state is expired, and a trial is offered only if one is built in`(
        builtIn: Int?, canStart: Bool
    ) async {
        let app = App(trialDays: builtIn)
        app.goOffline()
        let manager = await app.launch()
        #expect(manager.state == .expired)
        #expect(manager.explanation.message == "Connect once to see what is included.")
        #expect(
            manager.explanation.reasons.map(\.code)
                == ["not_connected_yet"] + (canStart ? ["trial_not_started"] : []) + ["server_unreached"])
        app.goOffline(false)
        await manager.checkNow()
        #expect(manager.explanation.reasons.map(\.code).contains("not_connected_yet") == false)
    }

    @Test func `explanations of states, failures and refusals are in the person's first supported language`()
        async throws
    {
        let app = App()
        app.goOffline()
        let manager = app.start(languages: ["nl", "de-AT", "ko"])
        #expect(manager.explanation.message == "Die Lizenz wurde seit dem Start der App noch nicht geprüft.")
        await manager.launch()
        #expect(manager.explanation.message == "Verbinde dich einmal, um zu sehen, was enthalten ist.")
        guard case .unreached(let why) = try await manager.activate("KEY-A") else {
            Issue.record("reached")
            return
        }
        #expect(why.message == "Es gibt keine Verbindung zum Lizenzserver.")
        app.goOffline(false)
        guard case .refused(let no) = try await manager.activate("KEY-A") else {
            Issue.record("activated")
            return
        }
        #expect(no.message == "Für dieses Produkt gibt es keine Lizenz mit diesem Schlüssel.")
        await #expect(throws: LicenseDevicesError.self) { try await manager.devices() }
    }

    @Test func `listing devices without a license is an error with the state's reasons`() async {
        let app = App()
        let manager = await app.launch()
        do throws(LicenseDevicesError) {
            _ = try await manager.devices()
            Issue.record("listed")
        } catch {
            #expect(error.code == .noLicense)
            #expect(error.explanation == manager.explanation)
            #expect(error.errorDescription == manager.explanation.message)
        }
    }

    @Test func `an activated license is valid for a week offline, then expires, and is renewed online`() async throws {
        let app = App()
        app.issue()
        #expect(try await app.launch().activate("KEY-A") == .done)
        app.goOffline()
        app.clock.pass(7 * day)
        #expect(await app.launch().state == .licensed)
        app.clock.pass(301)
        let lapsed = await app.launch()
        #expect(lapsed.state == .expired)
        #expect(lapsed.explanation.reasons[0].code == "lease_lapsed")
        app.goOffline(false)
        app.clock.pass(400)
        await lapsed.refreshIfNeeded()
        #expect(lapsed.state == .licensed)
    }

    @Test func `a refused activation doesn't change the state of a running trial`() async throws {
        let app = App()
        let manager = await app.launch()
        try await manager.startTrial()
        #expect(manager.state == .trial(daysLeft: 14))
        guard case .refused(let why) = try await manager.activate("KEY-Q") else {
            Issue.record("not refused")
            return
        }
        #expect(why.reasons[0].code == "license_unknown")
        #expect(manager.state == .trial(daysLeft: 14))
    }

    @Test func `a reinstated license becomes valid automatically with the same activation`() async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        let seat = app.vendor.seat(of: "KEY-A")
        app.vendor.change { $0.licenses["KEY-A"]?.state = .suspended }
        app.clock.pass(6 * 3_600 + 1)
        await manager.refreshIfNeeded()
        #expect(manager.state == .invalid)
        app.vendor.change { $0.licenses["KEY-A"]?.state = .open }
        app.clock.pass(300)
        await manager.refreshIfNeeded()
        #expect(manager.state == .licensed)
        #expect(app.vendor.seat(of: "KEY-A") == seat)
    }

    @Test(
        arguments: [
            ("free", LicenseState.freeTier), ("paid", LicenseState.expired),
            ("trial", LicenseState.trial(daysLeft: 12)),
        ] as [(String, LicenseState)])
    func `after a deactivation the state is the running trial or the free tier if there is one, and expired otherwise`(
        plan: String, expected: LicenseState
    ) async throws {
        let app = App()
        app.issue()
        app.vendor.change { $0.terms = ProductTerms(trialDays: 14, freeTier: plan == "free") }
        let manager = await app.launch()
        if plan == "trial" { try await manager.startTrial() }
        app.clock.pass(2 * day)
        try await manager.activate("KEY-A")
        #expect(try await manager.deactivate() == .done)
        #expect(manager.state == expected)
        #expect(app.vendor.seat(of: "KEY-A") == nil)
        #expect(await app.launch().state == expected)
    }

    @Test(arguments: [Dialect.tenure, .keylight], [false, true])
    func `a deactivation fetches the product's current terms, which determine the new state`(
        dialect: Dialect, isFree: Bool
    ) async throws {
        let app = App(dialect: dialect)
        app.issue()
        app.vendor.change { $0.terms = ProductTerms(trialDays: 14, freeTier: !isFree) }
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        app.vendor.change { $0.terms = ProductTerms(trialDays: 14, freeTier: isFree) }
        app.clock.pass(3_600)
        #expect(try await manager.deactivate() == .done)
        #expect(manager.state == (isFree ? .freeTier : .expired))
    }

    @Test(arguments: [Dialect.tenure, .keylight])
    func `a trial extended while a license was in use continues after the license's deactivation`(
        dialect: Dialect
    ) async throws {
        let app = App(dialect: dialect)
        app.issue()
        let manager = await app.launch()
        try await manager.startTrial()
        try await manager.activate("KEY-A")
        app.clock.pass(20 * day)
        await manager.refreshIfNeeded()
        app.vendor.change {
            $0.terms = ProductTerms(trialDays: dialect == .tenure ? 14 : 30, freeTier: false)
            $0.extraDays = 16
        }
        #expect(try await manager.deactivate() == .done)
        #expect(manager.state == .trial(daysLeft: 10))
    }

    @Test(arguments: [Dialect.tenure, .keylight])
    func `product terms that couldn't be fetched after a deactivation are requested at the next refresh`(
        dialect: Dialect
    ) async throws {
        let app = App(dialect: dialect)
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        app.vendor.change {
            $0.terms = ProductTerms(trialDays: 14, freeTier: true)
            $0.failsConfigurations = true
        }
        #expect(try await manager.deactivate() == .done)
        #expect(manager.state == .expired)
        #expect(manager.explanation.reasons.map(\.code).contains("server_unreached"))
        app.vendor.change { $0.failsConfigurations = false }
        app.clock.pass(2)
        await manager.refreshIfNeeded()
        #expect(manager.state == .freeTier)
        #expect(!manager.explanation.reasons.map(\.code).contains("server_unreached"))
    }

    @Test func `a trial that couldn't be requested after a deactivation is requested at the next refresh`()
        async throws
    {
        let app = App()
        app.issue()
        let manager = await app.launch()
        try await manager.startTrial()
        try await manager.activate("KEY-A")
        app.clock.pass(20 * day)
        await manager.refreshIfNeeded()
        app.vendor.change {
            $0.extraDays = 16
            $0.failsTrials = true
        }
        #expect(try await manager.deactivate() == .done)
        #expect(manager.state == .expired)
        app.vendor.change { $0.failsTrials = false }
        app.clock.pass(300)
        await manager.refreshIfNeeded()
        #expect(manager.state == .trial(daysLeft: 10))
    }

    @Test func `after a deactivation, the product terms in an earlier Keylight refusal determine the state`()
        async throws
    {
        let app = App(dialect: .keylight)
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        app.vendor.change {
            $0.terms = ProductTerms(trialDays: 14, freeTier: true)
            $0.licenses["KEY-A"]?.state = .revoked
            $0.failsConfigurations = true
        }
        app.clock.pass(7 * 3_600)
        await manager.refreshIfNeeded()
        #expect(manager.state == .invalid)
        #expect(try await manager.deactivate() == .done)
        #expect(manager.state == .freeTier)
    }

    @Test func `a license stays valid on the device if its deactivation doesn't reach the server`() async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        app.goOffline()
        guard case .unreached = try await manager.deactivate() else {
            Issue.record("the deactivation was confirmed")
            return
        }
        #expect(manager.state == .licensed)
    }

    @Test func `activating another license releases the first license's activation`()
        async throws
    {
        let app = App()
        app.issue("KEY-A")
        app.issue("KEY-B")
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        try await manager.activate("KEY-B")
        #expect(manager.state == .licensed)
        #expect(app.vendor.seat(of: "KEY-A") == nil)
        #expect(app.vendor.seat(of: "KEY-B") != nil)
    }

    @Test func `many concurrent launches send one request`() async throws {
        let app = App()
        let manager = app.start()
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await manager.launch() } }
        }
        #expect(app.vendor.requests == ["configuration"])
        _ = await app.launch()
        #expect(app.vendor.requests == ["configuration"])
    }

    @Test(arguments: [
        RequestFailure.Cause.offline, .untrusted, .captive, .busy, .misconfigured, .unverified, .cancelled,
    ])
    func `a request without a usable response doesn't change a license's state`(cause: RequestFailure.Cause)
        async throws
    {
        let app = App()
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        app.vendor.change { $0.outage = RequestFailure(cause, "Nothing came.") }
        for _ in 0..<6 {
            app.clock.pass(day)
            await manager.refreshIfNeeded()
            #expect(manager.state == .licensed)
        }
        #expect(manager.explanation.reasons.map(\.code) == ["lease_holds", "server_unreached"])
    }

    @Test(arguments: [Dialect.tenure, .keylight])
    func `the state is invalid while the clock is set back, until an online check`(
        dialect: Dialect
    ) async throws {
        let app = App(dialect: dialect)
        app.issue()
        try await app.launch().activate("KEY-A")
        app.goOffline()
        app.clock.pass(day)
        app.clock.turnWall(by: -3 * day)
        let manager = await app.launch()
        #expect(manager.state == .invalid)
        #expect(manager.explanation.reasons[0].code == "clock_set_back")
        #expect(manager.explanation.reasons[0].evidence["behindSeconds"] == "259200")
        app.clock.setWallRight()
        #expect(await app.launch().state == .licensed)
        app.clock.turnWall(by: -3 * day)
        app.goOffline(false)
        app.clock.pass(300)
        let cured = await app.launch()
        #expect(cured.state == .licensed)
        app.clock.restart()
        #expect(await app.launch().state == .licensed)
    }

    @Test(arguments: [Dialect.tenure, .keylight], [29, 31, 730] as [Int64])
    func `a 14-day trial that began offline while the clock was ahead ends after 14 days`(
        dialect: Dialect, days: Int64
    ) async throws {
        let app = App(dialect: dialect, trialDays: 14)
        app.goOffline()
        _ = await app.launch()
        app.clock.turnWall(by: days * day)
        app.clock.restart()
        try await app.launch().startTrial()
        #expect(await app.launch().state == .trial(daysLeft: 14))
        app.clock.pass(3 * day)
        _ = await app.launch()
        app.clock.setWallRight()
        app.clock.restart()
        if days <= 30 {
            // The mark is ahead, so only a server's time corrects it.
            #expect(await app.launch().state == .invalid)
            app.goOffline(false)
            app.clock.pass(300)
        }
        #expect(await app.launch().state == .trial(daysLeft: 11))
        app.goOffline()
        app.clock.pass(10 * day)
        #expect(await app.launch().state == .trial(daysLeft: 1))
        app.clock.pass(day)
        #expect(await app.launch().state.isEntitled == false)
    }

    @Test func `a clock reset by a flat battery doesn't end a trial that began offline`() async throws {
        let app = App(trialDays: 14)
        app.goOffline()
        _ = await app.launch()
        app.clock.restart(after: 40 * day)
        let manager = await app.launch()
        try await manager.startTrial()
        app.clock.pass(day)
        _ = await app.launch()
        app.clock.turnWall(by: -38 * day)
        app.clock.restart()
        #expect(await app.launch().state == .trial(daysLeft: 13))
        app.goOffline(false)
        app.clock.pass(300)
        #expect(await app.launch().state == .trial(daysLeft: 13))
    }

    @Test
    func `a lease is accepted even if the server's clock was ahead when it signed the previous lease`() async throws {
        let app = App()
        app.issue()
        try await app.launch().activate("KEY-A")
        app.clock.jumpServer(by: 20 * day)
        app.clock.pass(300)
        let manager = await app.launch()
        await manager.checkNow()
        app.clock.jumpServer(by: -20 * day)
        app.clock.pass(day)
        #expect(await manager.checkNow() == .done)
        #expect(manager.state == .licensed)
        app.clock.restart()
        app.goOffline()
        app.clock.pass(6 * day)
        #expect(await app.launch().state == .licensed)
    }

    @Test
    func `without a license, fetching the product's terms restores the free tier although the clock is set back`() async
    {
        let app = App()
        app.vendor.change { $0.terms = ProductTerms(trialDays: 0, freeTier: true) }
        #expect(await app.launch().state == .freeTier)
        app.clock.pass(day)
        app.goOffline()
        app.clock.turnWall(by: -30 * day)
        #expect(await app.launch().state == .invalid)
        app.goOffline(false)
        app.clock.pass(300)
        #expect(await app.launch().state == .freeTier)
    }
}
