import TenureCommandLine
import TenureFormats

/// Formats a fleet's report as text for a terminal.
enum FleetPage {
    static func lines(_ tallies: [FleetTally], of plan: FleetPlan, windowDays: Int, console: Console) -> [String] {
        let outage =
            plan.outage.isEmpty
            ? "" : ", server down on days \(plan.outage.lowerBound + 1)-\(plan.outage.upperBound)"
        let share = Int((plan.offlineShare * 100).rounded())
        var lines = [
            "\(plan.count.grouped) \(plan.count.plural("device")), \(plan.days.of("day")), offline on \(share) % of them\(outage)",
            "",
        ]
        lines += table(tallies, windowDays: windowDays)
        for tally in tallies {
            lines += ["", "renewal attempts per day, \(title(of: tally))", ""]
            lines += FleetPlot.lines(tally.attempts, columns: 100)
        }
        for tally in tallies where tally.errors > 0 {
            lines += [
                "",
                "\(tally.errors.grouped) \(tally.errors.plural("request")) failed, \(title(of: tally)); the first: \(tally.firstError ?? "")",
            ]
        }
        return lines
    }

    private static func title(of tally: FleetTally) -> String {
        tally.renewsAhead ? "renewing early" : "not renewing early"
    }

    private static func table(_ tallies: [FleetTally], windowDays: Int) -> [String] {
        let rows: [(String, (FleetTally) -> Int)] = [
            ("launches", \.launches), ("licenses issued", \.issued), ("licenses renewed", \.renewed),
            ("renewals tried", { $0.attempts.reduce(0, +) }), ("  without a response", { $0.failures.reduce(0, +) }),
            ("launches refused", \.refusedInAll),
            ("  WRONGLY: could have renewed in its last \(windowDays) days", \.wronglyRefused),
            ("  offline for its last \(windowDays) days", { $0.refused[.offline] ?? 0 }),
            ("  online only while the server was down", { $0.refused[.outage] ?? 0 }),
            ("  renewal refused by the marketplace", { $0.refused[.ineligible] ?? 0 }),
        ]
        let titles = tallies.map(title)
        let left = rows.map(\.0.count).max() ?? 0
        var lines = [String(repeating: " ", count: left) + titles.map { "  \($0)" }.joined()]
        for (name, number) in rows {
            var line = name + String(repeating: " ", count: left - name.count)
            for (tally, title) in zip(tallies, titles) {
                let text = number(tally).grouped
                line += String(repeating: " ", count: max(0, title.count + 2 - text.count)) + text
            }
            lines.append(line)
        }
        return lines
    }
}

extension JSONObjectWriter {
    /// Writes a fleet's report as JSON.
    mutating func fleet(_ tallies: [FleetTally], of plan: FleetPlan, windowDays: Int) {
        member("devices", plan.count)
        member("days", plan.days)
        member("seed", Int64(clamping: plan.seed))
        member("renewAheadDays", windowDays)
        array("runs") { list in
            for tally in tallies { list.object { $0.tally(tally) } }
        }
    }

    private mutating func tally(_ tally: FleetTally) {
        member("renewAhead", tally.renewsAhead)
        member("launches", tally.launches)
        member("issued", tally.issued)
        member("renewed", tally.renewed)
        object("refused") { body in
            for cause in FleetTally.Cause.allCases { body.member(cause.rawValue, tally.refused[cause] ?? 0) }
        }
        member("errors", tally.errors)
        member("firstError", tally.firstError)
        array("attemptsPerDay") { list in
            for number in tally.attempts { list.element(Int64(number)) }
        }
        array("failuresPerDay") { list in
            for number in tally.failures { list.element(Int64(number)) }
        }
    }
}
