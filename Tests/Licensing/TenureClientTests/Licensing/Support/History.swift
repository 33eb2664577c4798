import TenureClient
import TenureCore
import TenureVault
import Testing

/// A random history of a device, its user, its network and its vendor, checked after each step.
@MainActor
struct History {
    enum Step: CaseIterable {
        case pass, passLong, restart, turnWall, setWallRight, goOffline, goOnline
        case suspend, reinstate, revoke, expire, renewTerm, releaseElsewhere, switchFallback, switchPlan
        case activateA, activateB, activateWrong, activateOnFullDisk, deactivate, startTrial, look, press, relaunch
    }

    /// The steps to choose from. Repeated steps are chosen more often, so that more of the other steps affect a
    /// license.
    private static let choice =
        Step.allCases + [.pass, .pass, .pass, .pass, .passLong, .goOnline, .activateA, .activateA, .activateB]

    private var app: App
    private var manager: LicenseManager
    private var truth = FirstPrinciples()
    private var isOffline = false
    private var generator: SeededGenerator
    private var lastPress: ClockReading?
    private var complaint: String?
    private(set) var steps: [Step] = []
    /// The number of steps after which each state occurred, by the state's name.
    private(set) var seen: [String: Int] = [:]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let compiled = [nil, 7].randomElement(using: &generator) ?? nil
        app = App(trialDays: compiled)
        manager = app.start()
        let freeTier = Bool.random(using: &generator)
        let trialDays = [0, 14].randomElement(using: &generator)
        app.vendor.change { $0.terms = ProductTerms(trialDays: trialDays, freeTier: freeTier) }
        app.issue("KEY-A", days: [nil, 5, 40].randomElement(using: &generator) ?? nil, fallback: freeTier)
        app.issue("KEY-B", days: 20)
    }

    /// Takes this many steps. Returns a description of the first failure, or `nil`.
    mutating func live(_ count: Int) async -> String? {
        for _ in 0..<count {
            guard let step = Self.choice.randomElement(using: &generator) else { return "no steps" }
            steps.append(step)
            await take(step)
            await look()
            if let complaint { return "\(complaint) after \(steps)" }
            let expected = truth.state(at: app.clock.read())
            seen[expected.name, default: 0] += 1
            if manager.state != expected {
                return "\(manager.state) should be \(expected) (\(manager.explanation.code)) after \(steps)"
            }
        }
        return nil
    }

    private mutating func take(_ step: Step) async {
        switch step {
        case .pass: app.clock.pass(Int64.random(in: 600...30_000, using: &generator))
        case .passLong: app.clock.pass(Int64.random(in: 1...12, using: &generator) * 86_400)
        case .restart:
            app.clock.restart(after: Int64.random(in: 600...500_000, using: &generator))
            relaunch()
        case .turnWall: app.clock.turnWall(by: Int64.random(in: -3_000_000...3_000_000, using: &generator))
        case .setWallRight: app.clock.setWallRight()
        case .goOffline, .goOnline:
            isOffline = step == .goOffline
            app.goOffline(isOffline)
        case .suspend: change { $0.state = $0.state == .open ? .suspended : $0.state }
        case .reinstate: change { $0.state = $0.state == .suspended ? .open : $0.state }
        case .revoke: if Int.random(in: 0..<4, using: &generator) == 0 { change { $0.state = .revoked } }
        case .expire:
            let now = app.clock.truth
            change { $0.termEnd = now }
        case .renewTerm:
            let end = app.clock.truth.adding(days: 30)
            change { $0.termEnd = end }
        case .releaseElsewhere: change { $0.seat = nil }
        case .switchFallback: change { $0.hasFallback.toggle() }
        case .switchPlan:
            app.vendor.change {
                $0.terms = ProductTerms(trialDays: $0.terms.trialDays, freeTier: !$0.terms.freeTier)
            }
        case .activateA: await act { _ = try? await $0.activate("KEY-A") }
        case .activateB: await act { _ = try? await $0.activate("KEY-B") }
        case .activateWrong: await act { _ = try? await $0.activate("KEY-X") }
        case .activateOnFullDisk: await activateOnFullDisk()
        case .deactivate: await act { _ = try? await $0.deactivate() }
        case .startTrial: await startTrial()
        case .look: break
        case .press: await press()
        case .relaunch: relaunch()
        }
    }

    /// Launches the app. Between two launches, either no time passes or at least ten minutes, so that each reading is
    /// stored.
    private mutating func look() async {
        truth.looked(app.clock.read())
        await manager.launch()
        hear()
    }

    private mutating func act(_ body: (LicenseManager) async -> Void) async {
        await body(manager)
        hear()
    }

    /// Checks now. Complains if no request is sent, or if the time of an online server doesn't correct the clock.
    private mutating func press() async {
        let reading = app.clock.read()
        let isPressedTwice = lastPress?.boot == reading.boot && lastPress?.uptime == reading.uptime
        let before = app.vendor.requests.count
        await act { _ = await $0.checkNow() }
        let requestCount = app.vendor.requests.count - before
        if isPressedTwice {
            if requestCount != 0 { complaint = "a second press sent another request" }
            return
        }
        lastPress = reading
        if requestCount == 0 { complaint = "a press sent no request" }
        if !isOffline, !truth.time(at: app.clock.read()).isHonest {
            complaint = "the server's time didn't correct the clock"
        }
    }

    private mutating func startTrial() async {
        let reading = app.clock.read()
        let canStartHere = isOffline && !truth.hasTrial && truth.time(at: reading).isHonest
        await act { _ = try? await $0.startTrial() }
        if canStartHere, let days = truth.knownTrialDays ?? app.trialDays, days > 0 {
            truth.startedLocalTrial(at: reading, days: days)
        }
    }

    private mutating func activateOnFullDisk() async {
        app.vault.fail(with: VaultError(.unwritable, "The disk is full."))
        let answer = try? await manager.activate("KEY-B")
        app.vault.fail(with: nil)
        // A granted activation must not be stored. A refusal stays in memory and is written with the next change.
        let said = app.vendor.drain()
        if answer != nil { hear(said) }
    }

    private mutating func hear() { hear(app.vendor.drain()) }

    private mutating func hear(_ answers: [(Vendor.Said, Timestamp)]) {
        let reading = app.clock.read()
        for (said, time) in answers {
            truth.received(said)
            truth.told(time, reading)
        }
    }

    private mutating func relaunch() {
        manager = app.start()
        lastPress = nil
    }

    private mutating func change(_ body: (inout Vendor.Grant) -> Void) {
        let key = Bool.random(using: &generator) ? "KEY-A" : "KEY-B"
        app.vendor.change { world in
            guard var license = world.licenses[key] else { return }
            body(&license)
            world.licenses[key] = license
        }
    }
}
