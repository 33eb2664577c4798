import TenureCore

/// A fleet's devices under one rule, day by day; it decides and counts, and never asks anybody.
struct FleetLife: Sendable {
    /// What a device has.
    struct Member: Sendable, Hashable {
        var license: UInt64?
        var end: Timestamp?
        var isIneligible = false
    }

    /// Something to ask the marketplace for a device.
    struct Errand: Sendable, Hashable {
        let device: Int
        /// The license to renew; nil asks for a first one.
        let license: UInt64?
    }

    /// How an errand ended.
    enum Outcome: Sendable, Hashable {
        case licensed(id: UInt64, until: Timestamp?)
        case refused
        case failed(String)
    }

    /// The renewal window: so many days before its expiry a marketplace app that renews ahead asks for a license.
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

    /// What devices ask for in the morning: a first license, what their daily job finds, and what the marketplace app
    /// renews ahead.
    ///
    /// - Parameter told: The licenses that the marketplace says to renew; nil where the app goes by what it knows.
    mutating func morning(of day: Int, told: Set<UInt64>?) -> [Errand] {
        let now = start.adding(days: day)
        var errands: [Errand] = []
        for (device, member) in members.enumerated() where !member.isIneligible {
            if member.license == nil {
                guard plan.joinDay(device) <= day, plan.canAsk(device, on: day) else { continue }
                errands.append(Errand(device: device, license: nil))
            } else if let license = member.license, let end = member.end {
                let isAhead =
                    tally.renewsAhead && (told?.contains(license) ?? (end <= now.adding(days: windowDays)))
                guard isAhead || DailyJob.isDue(end: end, at: now), plan.isOnline(device, on: day) else { continue }
                if attempt(on: day) { errands.append(Errand(device: device, license: license)) }
            }
        }
        return errands
    }

    /// What happens when people launch the app, and what they ask for then: whoever is refused and online taps Resolve,
    /// and the marketplace app renews.
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
                    // Resolved at once: the later launches of the day succeed.
                    tally.launches += plan.launches(device, on: day).count { $0 > second }
                    break
                }
            }
        }
        return errands
    }

    /// Keeps what errands brought.
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

    /// Counts a renewal that is tried; answers whether the server is there.
    private mutating func attempt(on day: Int) -> Bool {
        tally.attempts[day] += 1
        if plan.isServerUp(on: day) { return true }
        tally.failures[day] += 1
        return false
    }

    private func refusal(of member: Member, _ device: Int, at moment: Timestamp) -> FleetTally.Cause? {
        if member.isIneligible { return .ineligible }
        guard let end = member.end, moment >= end else { return nil }
        let last = start.seconds(until: end.adding(seconds: -1)) / 86_400
        let days = max(0, Int(last) - windowDays + 1)...max(0, Int(last))
        if days.contains(where: { plan.canAsk(device, on: $0) }) { return .wrongly }
        return days.contains { plan.isOnline(device, on: $0) } ? .outage : .offline
    }
}
