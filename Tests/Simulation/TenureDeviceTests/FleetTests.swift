import TenureCore
import Testing

@testable import TenureDevice

struct FleetTests {
    private static func plan(_ count: Int = 100, days: Int = 120, outage: Range<Int> = 50..<53) -> FleetPlan {
        FleetPlan(count: count, days: days, seed: 7, offlineShare: 0.1, outage: outage)
    }

    /// Runs a fleet plan against a server that grants licenses for 30 days unless `answer` returns another outcome.
    private static func live(
        _ plan: FleetPlan, renewsAhead: Bool, answer: (FleetLife.Errand, Int) -> FleetLife.Outcome? = { _, _ in nil }
    ) -> FleetTally {
        var life = FleetLife(plan: plan, renewsAhead: renewsAhead, windowDays: 7, start: morning)
        for day in 0..<plan.days {
            for phase in 0..<2 {
                for errand in phase == 0 ? life.morning(of: day, notified: nil) : life.launches(on: day) {
                    let end = morning.adding(days: day + 30).adding(seconds: Int64(errand.device) * 500)
                    let granted = FleetLife.Outcome.licensed(id: errand.license ?? UInt64(errand.device), until: end)
                    life.take(answer(errand, day) ?? granted, of: errand, on: day)
                }
            }
        }
        return life.tally
    }

    @Test func `renewing licenses ahead of their end prevents the wrongly refused launches that otherwise occur`() {
        let ahead = Self.live(Self.plan(), renewsAhead: true)
        let behind = Self.live(Self.plan(), renewsAhead: false)
        #expect(ahead.wronglyRefused == 0)
        #expect(behind.wronglyRefused > 0)
        #expect(ahead.launches == behind.launches)
        #expect(ahead.issued == 100)
        #expect(behind.issued == 100)
    }

    @Test func `a fleet that is always online without an outage has no refused launch`() {
        let plan = FleetPlan(count: 50, days: 100, seed: 1, offlineShare: 0, outage: 0..<0)
        for rule in [true, false] {
            let tally = Self.live(plan, renewsAhead: rule)
            #expect(tally.refusedInAll == 0)
            #expect(tally.failures.reduce(0, +) == 0)
            #expect(tally.renewed == tally.attempts.reduce(0, +))
        }
    }

    @Test func `renewal attempts during an outage count as failed requests`() {
        let tally = Self.live(Self.plan(outage: 40..<60), renewsAhead: true)
        for day in 40..<60 { #expect(tally.failures[day] == tally.attempts[day]) }
        #expect(tally.failures[39] == 0)
        #expect(tally.refused[.outage, default: 0] > 0)
    }

    @Test func `launches that fail because of a running server's errors count as wrongly refused`() {
        let tally = Self.live(Self.plan(), renewsAhead: true) { errand, _ in
            errand.license == nil ? nil : .failed("500")
        }
        #expect(tally.wronglyRefused > 0)
        #expect(tally.firstError == "500")
    }

    @Test func `a launch that is refused because its license is ineligible isn't counted as wrongly refused`() {
        let tally = Self.live(Self.plan(), renewsAhead: true) { errand, _ in errand.license == nil ? nil : .refused }
        #expect(tally.refused[.ineligible, default: 0] > 0)
        #expect(tally.wronglyRefused == 0)
    }

    @Test func `only licenses that the marketplace lists for renewal are renewed before their last day`() {
        var life = FleetLife(plan: Self.plan(2, outage: 0..<0), renewsAhead: true, windowDays: 7, start: morning)
        life.members = [
            .init(license: 1, end: morning.adding(days: 20)), .init(license: 2, end: morning.adding(days: 3)),
        ]
        let day = (0..<2).first { life.plan.isOnline(0, on: $0) } ?? 0
        #expect(life.morning(of: day, notified: [1]) == [.init(device: 0, license: 1)])
    }
}

struct FleetPlanTests {
    @Test func `two fleet plans with the same seed are the same, and with different seeds differ`() {
        func days(_ seed: UInt64) -> [[Int64]] {
            let plan = FleetPlan(count: 20, days: 50, seed: seed, offlineShare: 0.2, outage: 0..<0)
            return (0..<1000).map {
                plan.launches($0 % 20, on: $0 / 20) + [plan.isOnline($0 % 20, on: $0 / 20) ? 1 : 0]
            }
        }
        #expect(days(1) == days(1))
        #expect(days(1) != days(2))
    }

    @Test(arguments: [0.0, 0.1, 0.3])
    func `the devices of a fleet plan are offline for about the requested share of the days`(share: Double) {
        let plan = FleetPlan(count: 300, days: 100, seed: 3, offlineShare: share, outage: 0..<0)
        let offline = (0..<30_000).count { !plan.isOnline($0 % 300, on: $0 / 300) }
        #expect(abs(Double(offline) / 30_000 - share) < 0.03)
    }

    @Test func `a fleet plan's launches of a day are ordered and lie within the day`() {
        let plan = FleetPlan(count: 10, days: 50, seed: 3, offlineShare: 0.1, outage: 0..<0)
        for day in 0..<50 {
            let launches = plan.launches(3, on: day)
            #expect(launches == launches.sorted())
            #expect(launches.allSatisfy { (0..<86_400).contains($0) })
        }
    }
}

struct FleetPlotTests {
    @Test func `in a fleet plot, the highest value has full height and the lowest above zero is visible`() {
        let lines = FleetPlot.lines([0, 1, 50, 100], columns: 10, height: 4)
        #expect(lines == ["100 │   █", "    │   █", "    │  ██", "  0 │ ▁██", "     day 1 day 4"])
    }

    @Test func `a fleet plot of more days than columns is no wider than its columns and labels`() {
        let lines = FleetPlot.lines(Array(repeating: 3, count: 100), columns: 30)
        #expect(lines.allSatisfy { $0.count <= 34 })
        #expect(lines.last?.hasSuffix("day 100") == true)
    }

    @Test func `a fleet plot without days is empty, and a fleet plot of zeros isn't`() {
        #expect(FleetPlot.lines([], columns: 10).isEmpty)
        #expect(FleetPlot.lines([0, 0], columns: 10).count == 7)
    }

    @Test func `the SVG drawing of a fleet plot has a bar for renewals, a bar for failures and a bar for the outage`() {
        let plan = FleetPlan(count: 1, days: 3, seed: 1, offlineShare: 0, outage: 1..<2)
        var tally = FleetTally(renewsAhead: true, days: 3)
        tally.attempts = [2, 1, 0]
        tally.failures = [0, 1, 0]
        let svg = FleetPlot.svg([tally], of: plan)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
        for (kind, count) in [("ok", 1), ("no", 1), ("outage", 1)] {
            #expect(svg.ranges(of: "<rect class=\"\(kind)\"").count == count, "\(kind)")
        }
    }
}
