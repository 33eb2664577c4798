import Foundation
import TenureClient
import TenureCore
import Testing

/// Which requests a launch waits for, and for how long.
@MainActor @Suite struct LaunchTests {
    /// Holds the vendor's responses to one kind of request, such as `renew`, until the returned continuation finishes.
    private func silence(_ verb: String, of app: App) -> AsyncStream<Void>.Continuation {
        let (gate, opening) = AsyncStream<Void>.makeStream()
        app.vendor.change { $0.gates[verb] = gate }
        return opening
    }

    private func licensed() async throws -> App {
        let app = App()
        app.issue()
        try await app.launch().activate("KEY-A")
        app.clock.pass(7 * 3_600)
        return app
    }

    @Test
    func `a launch with a license doesn't wait for the server's response, which changes the state when it arrives`()
        async throws
    {
        let app = try await licensed()
        let opening = silence("renew", of: app)
        app.vendor.change { $0.licenses["KEY-A"]?.state = .suspended }
        let manager = app.start(launchPatience: .seconds(3_600))
        await manager.checkOnLaunch()
        #expect(manager.state == .licensed)
        opening.finish()
        await manager.launchQuestion?.value
        #expect(manager.state == .invalid)
        #expect(manager.explanation.reasons[0].code == "license_suspended")
    }

    @Test func `the launch check returns after the app's timeout, and a late response changes the state`() async {
        let app = App()
        app.vendor.change { $0.terms = ProductTerms(trialDays: 0, freeTier: true) }
        let opening = silence("configuration", of: app)
        let manager = app.start(launchPatience: .zero)
        await manager.checkOnLaunch()
        #expect(manager.state == .expired)
        opening.finish()
        await manager.launchQuestion?.value
        #expect(manager.state == .freeTier)
    }

    @Test func `a response within the timeout sets the state before the launch check returns`() async {
        let app = App()
        app.vendor.change { $0.terms = ProductTerms(trialDays: 0, freeTier: true) }
        let manager = app.start(launchPatience: .seconds(3_600))
        await manager.checkOnLaunch()
        #expect(manager.state == .freeTier)
    }

    @Test
    func `a request that still waits for its response doesn't keep another process from sending the same request`()
        async throws
    {
        let app = try await licensed()
        let opening = silence("renew", of: app)
        let cut = app.start()
        await cut.checkOnLaunch()
        while app.vendor.requests.last != "renew" { await Task.yield() }
        // The first process gets its response only after the second process has sent its request.
        let before = app.vendor.requests.count
        app.vendor.change { $0.gates["renew"] = nil }
        await app.start().refreshIfNeeded()
        #expect(app.vendor.requests.dropFirst(before) == ["renew"])
        opening.finish()
        await cut.launchQuestion?.value
    }

    @Test func `an app with a launch timeout of zero stays licensed in short runs over 30 days`()
        async throws
    {
        let app = App()
        app.issue()
        try await app.launch().activate("KEY-A")
        for _ in 0..<60 {
            app.clock.pass(Given.day / 2)
            let manager = app.start(launchPatience: .zero)
            await manager.checkOnLaunch()
            #expect(manager.state == .licensed)
            await manager.refreshIfNeeded()
            #expect(manager.state == .licensed)
        }
    }

    @Test func `an app can set how old a response may get before a refresh, but not below five minutes`()
        async throws
    {
        let app = App()
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        app.vendor.change { $0.licenses["KEY-A"]?.state = .suspended }
        app.clock.pass(299)
        await manager.refreshIfNeeded(olderThan: .seconds(60))
        #expect(manager.state == .licensed)
        app.clock.pass(2)
        await manager.refreshIfNeeded()
        #expect(manager.state == .licensed)
        await manager.refreshIfNeeded(olderThan: .seconds(300))
        #expect(manager.state == .invalid)
    }

    @Test func `the streams of states and transitions report the state that the first launch determines`() async {
        let app = App()
        let manager = app.start()
        let states = manager.states
        let transitions = manager.transitions
        #expect(manager.state == .notDetermined)
        #expect(!manager.isEntitled)
        await manager.launch()
        var seen: [LicenseState] = []
        for await state in states {
            seen.append(state)
            if seen.count == 2 { break }
        }
        #expect(seen == [.notDetermined, .expired])
        for await transition in transitions {
            #expect(transition.from == .notDetermined)
            #expect(transition.to == .expired)
            break
        }
        for await state in manager.states {
            #expect(state == .expired)
            break
        }
    }

    @Test
    func `a license's details stay available after a revocation, until the license is deactivated`() async throws {
        let app = App()
        app.issue("NOTE-ABCD-EFGH-IJKL", days: 20)
        let manager = await app.launch()
        #expect(manager.license == nil)
        try await manager.activate("NOTE-ABCD-EFGH-IJKL")
        let activated = Date(app.clock.truth)
        #expect(manager.license?.maskedKey == "NOTE-****-****-IJKL")
        #expect(manager.license?.activatedAt == activated)
        #expect(manager.license?.expiresAt == activated.addingTimeInterval(20 * 86_400))
        #expect(manager.license?.leaseEndsAt == activated.addingTimeInterval(7 * 86_400))
        app.clock.pass(3 * Given.day)
        await manager.refreshIfNeeded()
        #expect(manager.license?.activatedAt == activated)
        #expect(manager.license?.confirmedAt == activated.addingTimeInterval(3 * 86_400))
        app.vendor.change { $0.licenses["NOTE-ABCD-EFGH-IJKL"]?.state = .revoked }
        await manager.checkNow()
        #expect(manager.state == .invalid)
        #expect(manager.license?.maskedKey == "NOTE-****-****-IJKL")
        try await manager.deactivate()
        #expect(manager.license == nil)
    }

    @Test(arguments: [
        LicenseState.notDetermined, .trial(daysLeft: 3), .licensed, .limited, .freeTier, .expired, .invalid,
    ])
    func `a license manager for previews keeps its state after a launch, an activation, a check or a refresh`(
        _ state: LicenseState
    ) async throws {
        let facts = LicenseFacts(
            maskedKey: "NOTE-****-0001", activatedAt: .distantPast, confirmedAt: .now, leaseEndsAt: .distantFuture)
        let manager = LicenseManager.preview(state, license: facts, entitlements: [LicenseEntitlement(name: "sync")])
        for act in 0..<5 {
            #expect(manager.state == state)
            #expect(manager.license == facts)
            #expect(manager.entitlement("sync") != nil)
            #expect(!manager.explanation.message.isEmpty)
            switch act {
            case 0: await manager.launch()
            case 1: #expect(try await manager.activate("KEY-A") != .done)
            case 2: await manager.checkNow()
            case 3: await manager.refreshIfNeeded()
            default: _ = try? await manager.devices()
            }
        }
        let why = Explanation(Explanation.Reason(code: "trial_ended", message: "Over.", cure: "Buy it."))
        #expect(LicenseManager.preview(.expired, explanation: why).explanation.cure == "Buy it.")
    }

    @Test(arguments: [LicenseError.Code.notStored, .notRead, .misconfigured, .noDevice])
    func `a license error's description for people omits the system's message`(_ code: LicenseError.Code) {
        let thrown = LicenseError(code, "open(/home/ada): EACCES")
        let error: any Error = thrown
        #expect(!error.localizedDescription.contains("/home/ada"))
        #expect((error as? any LocalizedError)?.recoverySuggestion?.isEmpty == false)
        #expect(LicenseError.errorDomain == "tenure.license")
        #expect((1...4).contains(thrown.errorCode))
    }
}
