import TenureCore

/// Simulates the devices of a fleet under one renewal rule, day by day.
///
/// This type decides which requests to send and counts the results. The caller sends the requests.
struct FleetLife: Sendable {
    /// A device of the fleet, with the state of its license.
    struct Member: Sendable, Hashable {
        var license: UInt64?
        var end: Timestamp?
        var isIneligible = false
    }

    /// A license request for a device.
    struct Errand: Sendable, Hashable {
        let device: Int
        /// The license to renew; `nil` to request the device's first license.
        let license: UInt64?
    }

    /// The result of a request.
    enum Outcome: Sendable, Hashable {
        case licensed(id: UInt64, until: Timestamp?)
        case refused
        case failed(String)
    }

    /// How many days before expiry a marketplace app that renews ahead requests a license.
    let windowDays: Int
    let plan: FleetPlan
    let start: Timestamp
    var members: [Member]
    var tally: FleetTally

    init(plan: FleetPlan, renewsAhead: Bool, windowDays: Int, start: Timestamp) {
        self.plan = plan
        self.windowDays = windowDays
        self.start = start
        members = Array(repeating: Member(), count: plan.count)
        tally = FleetTally(renewsAhead: renewsAhead, days: plan.days)
    }

    /// Returns the requests of a morning: for first licenses, the daily job's renewals, and renewals ahead of expiry.
    ///
    /// - Parameter notified: The licenses that the marketplace lists for renewal; `nil` if the app decides by the
    ///   expiry dates that it has stored.
    mutating func morning(of day: Int, notified: Set<UInt64>?) -> [Errand] {
        let now = start.adding(days: day)
        var errands: [Errand] = []
        for (device, member) in members.enumerated() where !member.isIneligible {
            if member.license == nil {
                guard plan.joinDay(device) <= day, plan.canAsk(device, on: day) else { continue }
                errands.append(Errand(device: device, license: nil))
            } else if let license = member.license, let end = member.end {
                let isAhead =
                    tally.renewsAhead && (notified?.contains(license) ?? (end <= now.adding(days: windowDays)))
                guard isAhead || DailyJob.isDue(end: end, at: now), plan.isOnline(device, on: day) else { continue }
                if attempt(on: day) { errands.append(Errand(device: device, license: license)) }
            }
        }
        return errands
    }

    /// Launches the app on all devices, and returns the renewals that follow from refused launches.
    ///
    /// If the device is online, its user taps Resolve and the marketplace app renews the license.
    mutating func launches(on day: Int) -> [Errand] {
        let now = start.adding(days: day)
        var errands: [Errand] = []
        for (device, member) in members.enumerated() where member.license != nil {
            for second in plan.launches(device, on: day) {
                tally.launches += 1
                guard let cause = refusal(of: member, device, at: now.adding(seconds: second)) else { continue }
                tally.refused[cause, default: 0] += 1
                guard cause != .ineligible, plan.isOnline(device, on: day) else { continue }
                if attempt(on: day) {
                    errands.append(Errand(device: device, license: member.license))
                    // The user resolves the problem at once, so the later launches of the day succeed.
                    tally.launches += plan.launches(device, on: day).count { $0 > second }
                    break
                }
            }
        }
        return errands
    }

    /// Records the result of a request in the device and in the counts.
    mutating func take(_ outcome: Outcome, of errand: Errand, on day: Int) {
        switch outcome {
        case .licensed(let id, let end):
            members[errand.device] = Member(license: id, end: end)
            if errand.license == nil { tally.issued += 1 } else { tally.renewed += 1 }
        case .refused:
            members[errand.device].isIneligible = true
        case .failed(let message):
            if errand.license != nil { tally.failures[day] += 1 }
            tally.errors += 1
            tally.firstError = tally.firstError ?? message
        }
    }

    /// Counts a renewal attempt and, if the server is down, its failure; returns whether the server is up.
    private mutating func attempt(on day: Int) -> Bool {
        tally.attempts[day] += 1
        if plan.isServerUp(on: day) { return true }
        tally.failures[day] += 1
        return false
    }

    private func refusal(of member: Member, _ device: Int, at time: Timestamp) -> FleetTally.Cause? {
        if member.isIneligible { return .ineligible }
        guard let end = member.end, time >= end else { return nil }
        let last = start.seconds(until: end.adding(seconds: -1)) / 86_400
        let days = max(0, Int(last) - windowDays + 1)...max(0, Int(last))
        if days.contains(where: { plan.canAsk(device, on: $0) }) { return .wrongly }
        return days.contains { plan.isOnline(device, on: $0) } ? .outage : .offline
    }
}
