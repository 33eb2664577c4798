package import TenureCore
import TenureCrypto

/// Lives a plan against a server, in virtual time, once for each rule and all rules in the same days.
package struct FleetRun: Sendable {
    /// Requests that are under way at once.
    package static let width = 16

    private let plan: FleetPlan
    private let app: WantedApp
    private let marketplace: ServedMarketplace
    private let token: String?
    private let windowDays: Int
    private let start: Timestamp

    /// Puts a run together.
    ///
    /// - Parameters:
    ///   - token: The account of all devices; nil where there are no accounts. With one, the marketplace is asked what to
    ///     renew; without, the marketplace app goes by the expiry that it knows.
    ///   - windowDays: How many days before expiry a marketplace app that renews ahead asks.
    ///   - start: The morning of the first day, by the server's clock.
    package init(
        plan: FleetPlan, app: WantedApp, marketplace: ServedMarketplace, token: String?, windowDays: Int,
        start: Timestamp
    ) {
        self.plan = plan
        self.app = app
        self.marketplace = marketplace
        self.token = token
        self.windowDays = windowDays
        self.start = start
    }

    /// Lives all days.
    ///
    /// - Parameters:
    ///   - rules: Whether the marketplace app renews ahead, for each fleet of the same devices.
    ///   - setTime: Sets the server's clock; called with each morning.
    ///   - progress: Told how many device-days have passed since the last call.
    /// - Throws: ``DeviceError`` when the server is not there on the first day, and what `setTime` throws.
    package func callAsFunction(
        rules: [Bool], setTime: (Timestamp) throws -> Void, progress: (Int) -> Void
    ) async throws -> [FleetTally] {
        var lives = rules.map {
            FleetLife(plan: plan, renewsAhead: $0, windowDays: windowDays, start: start)
        }
        _ = try await marketplace.configuration()
        for day in 0..<plan.days {
            try setTime(start.adding(days: day))
            marketplace.forgetConfiguration()
            var told: Set<UInt64>?
            if token != nil, plan.isServerUp(on: day) { told = try await marketplace.fleetNews(token: token) }
            for place in lives.indices {
                let morning = lives[place].morning(of: day, told: told)
                await perform(morning, in: &lives[place], on: day)
                let later = lives[place].launches(on: day)
                await perform(later, in: &lives[place], on: day)
                progress(plan.count)
            }
        }
        return lives.map(\.tally)
    }

    private func perform(_ errands: [FleetLife.Errand], in life: inout FleetLife, on day: Int) async {
        let now = start.adding(days: day)
        let isAhead = life.tally.renewsAhead
        let outcomes = await withTaskGroup(of: (Int, FleetLife.Outcome).self) { group in
            var outcomes = [FleetLife.Outcome?](repeating: nil, count: errands.count)
            for place in errands.indices {
                if place >= Self.width, let (done, outcome) = await group.next() { outcomes[done] = outcome }
                let errand = errands[place]
                group.addTask { (place, await outcome(of: errand, isAhead: isAhead, at: now)) }
            }
            for await (done, outcome) in group { outcomes[done] = outcome }
            return outcomes
        }
        for (errand, outcome) in zip(errands, outcomes) {
            if let outcome { life.take(outcome, of: errand, on: day) }
        }
    }

    private func outcome(of errand: FleetLife.Errand, isAhead: Bool, at now: Timestamp) async -> FleetLife.Outcome {
        let asker = Asker(deviceID: deviceID(errand.device, isAhead: isAhead), token: token)
        do throws(DeviceError) {
            let license: HeldLicense?
            if let id = errand.license {
                license = try await marketplace.renew([app.item: id], for: asker, at: now).renewed[app.item]
            } else {
                license = try await marketplace.issue([app], for: asker, at: now).licenses[app.item]
            }
            return license.map { .licensed(id: $0.id, until: $0.term.end) } ?? .refused
        } catch {
            return .failed(error.message)
        }
    }

    /// Other devices for each rule, and the same ones for the same seed.
    private func deviceID(_ device: Int, isAhead: Bool) -> [UInt8] {
        SHA256.hash(Array("tenure-fleet/\(plan.seed)/\(device)/\(isAhead)".utf8))
    }
}

/// What happened to a fleet under one rule.
package struct FleetTally: Sendable, Hashable {
    /// Why a launch was refused.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The device was online on a day of its renewal window on which the server answered: this should not happen.
        case wrongly
        /// The device was offline through its whole renewal window.
        case offline
        /// The device was online in its renewal window only while the server did not answer.
        case outage
        /// The marketplace does not renew its license.
        case ineligible
    }

    /// Whether the marketplace app renewed ahead.
    package let renewsAhead: Bool
    /// Launches that people tried.
    package var launches = 0
    /// Those that were refused.
    package var refused: [Cause: Int] = [:]
    /// Licenses that were issued.
    package var issued = 0
    /// Licenses that were renewed.
    package var renewed = 0
    /// Renewals that were tried, day by day.
    package var attempts: [Int]
    /// Those that got no answer, day by day.
    package var failures: [Int]
    /// The first failure that was not a planned one; nil when there was none.
    package var firstError: String?
    /// How many there were.
    package var errors = 0

    /// Begins at nothing.
    package init(renewsAhead: Bool, days: Int) {
        self.renewsAhead = renewsAhead
        attempts = Array(repeating: 0, count: days)
        failures = attempts
    }

    /// All refused launches.
    package var refusedInAll: Int { refused.values.reduce(0, +) }

    /// Refused launches that should not have been.
    package var wronglyRefused: Int { refused[.wrongly] ?? 0 }
}
