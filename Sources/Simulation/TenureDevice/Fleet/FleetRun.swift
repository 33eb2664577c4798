import TenureCore
import TenureCrypto

/// Runs a fleet's plan against a server in virtual time, under several renewal rules on the same days.
struct FleetRun: Sendable {
    /// How many requests are sent at the same time.
    static let width = 16

    private let plan: FleetPlan
    private let app: WantedApp
    private let marketplace: ServedMarketplace
    private let token: String?
    private let windowDays: Int
    private let start: Timestamp

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - token: The token of the account that all devices share; `nil` if there are no accounts. With a token, the
    ///     marketplace lists the licenses to renew. Otherwise, the marketplace app decides by the expiry dates that it
    ///     has stored.
    ///   - windowDays: How many days before expiry a marketplace app that renews ahead requests a license.
    ///   - start: The morning of the first day, by the server's clock.
    init(
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

    /// Simulates all days.
    ///
    /// - Parameters:
    ///   - rules: One element per simulated fleet: whether its marketplace app renews ahead. All fleets have the same
    ///     devices.
    ///   - setTime: Sets the server's clock; called each morning.
    ///   - progress: Called with the number of device-days since the last call.
    /// - Throws: ``DeviceError`` if the server can't be reached on the first day, and the errors of `setTime`.
    func simulate(
        rules: [Bool], setTime: (Timestamp) throws -> Void, progress: (Int) -> Void
    ) async throws -> [FleetTally] {
        var lives = rules.map {
            FleetLife(plan: plan, renewsAhead: $0, windowDays: windowDays, start: start)
        }
        _ = try await marketplace.configuration()
        for day in 0..<plan.days {
            try setTime(start.adding(days: day))
            marketplace.forgetConfiguration()
            var notified: Set<UInt64>?
            if token != nil, plan.isServerUp(on: day) { notified = try await marketplace.fleetNews(token: token) }
            for index in lives.indices {
                let morning = lives[index].morning(of: day, notified: notified)
                await perform(morning, in: &lives[index], on: day)
                let later = lives[index].launches(on: day)
                await perform(later, in: &lives[index], on: day)
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
            for index in errands.indices {
                if index >= Self.width, let (done, outcome) = await group.next() { outcomes[done] = outcome }
                let errand = errands[index]
                group.addTask { (index, await outcome(of: errand, isAhead: isAhead, at: now)) }
            }
            for await (done, outcome) in group { outcomes[done] = outcome }
            return outcomes
        }
        for (errand, outcome) in zip(errands, outcomes) {
            if let outcome { life.take(outcome, of: errand, on: day) }
        }
    }

    private func outcome(of errand: FleetLife.Errand, isAhead: Bool, at now: Timestamp) async -> FleetLife.Outcome {
        let requester = RequestingDevice(deviceID: deviceID(errand.device, isAhead: isAhead), token: token)
        do throws(DeviceError) {
            let license: HeldLicense?
            if let id = errand.license {
                license = try await marketplace.renew([app.item: id], for: requester, at: now).renewed[app.item]
            } else {
                license = try await marketplace.issue([app], for: requester, at: now).licenses[app.item]
            }
            return license.map { .licensed(id: $0.id, until: $0.term.end) } ?? .refused
        } catch {
            return .failed(error.message)
        }
    }

    /// Returns a device's id, which depends on the seed, the device and the rule.
    private func deviceID(_ device: Int, isAhead: Bool) -> [UInt8] {
        SHA256.hash(Array("tenure-fleet/\(plan.seed)/\(device)/\(isAhead)".utf8))
    }
}

/// The counts of a fleet's launches and requests under one renewal rule.
struct FleetTally: Sendable, Hashable {
    /// Why a launch was refused.
    enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The device could have reached the server in its renewal window, so the launch shouldn't have been refused.
        case wrongly
        /// The device was offline during its whole renewal window.
        case offline
        /// The device was online in its renewal window only while the server was down.
        case outage
        /// The marketplace doesn't renew the license.
        case ineligible
    }

    /// Whether the marketplace app renewed licenses ahead of their expiry.
    let renewsAhead: Bool
    /// How many times apps were launched, including refused launches.
    var launches = 0
    /// Refused launches, by cause.
    var refused: [Cause: Int] = [:]
    /// How many first licenses were issued.
    var issued = 0
    var renewed = 0
    /// Attempted renewals of each day, including those without a response.
    var attempts: [Int]
    /// Renewals of each day that got no response, because the server was down.
    var failures: [Int]
    /// The message of the first unplanned failure; `nil` if there was none.
    var firstError: String?
    /// The number of failures that the plan's outage doesn't explain.
    var errors = 0

    init(renewsAhead: Bool, days: Int) {
        self.renewsAhead = renewsAhead
        attempts = Array(repeating: 0, count: days)
        failures = attempts
    }

    /// The number of refused launches, whatever their cause.
    var refusedInAll: Int { refused.values.reduce(0, +) }

    /// The number of launches that were refused although the license could have been renewed in time.
    var wronglyRefused: Int { refused[.wrongly] ?? 0 }
}
