extension FleetPlot {
    /// Draws renewal attempts per day of each run as an SVG document, one chart under another on one scale.
    ///
    /// Answered attempts are blue, unanswered ones orange, and the days on which the server did not answer are shaded.
    package static func svg(_ tallies: [FleetTally], of plan: FleetPlan) -> String {
        let highest = max(1, tallies.flatMap(\.attempts).max() ?? 1)
        let rows = tallies.enumerated().map { place, tally in
            chart(tally, plan, highest: highest, top: 30 + Double(place) * 220)
        }
        let height = 40 + tallies.count * 220
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 \(height)" role="img" font-family="sans-serif" font-size="12">
            <title>Renewal attempts per day of \(plan.count) devices in \(plan.days) days</title>
            <style>text{fill:#333}.axis{stroke:#888}.outage{fill:#ddd}.ok{fill:#3b6ea5}.no{fill:#d9822b}\
            @media(prefers-color-scheme:dark){text{fill:#ddd}.outage{fill:#444}}</style>
            \(rows.joined(separator: "\n"))
            </svg>

            """
    }

    private static func chart(_ tally: FleetTally, _ plan: FleetPlan, highest: Int, top: Double) -> String {
        let (left, width, height) = (60.0, 740.0, 150.0)
        let step = width / Double(max(1, plan.days))
        let foot = top + 20 + height
        var parts = [
            "<text x=\"\(left)\" y=\"\(short(top + 8))\">\(tally.renewsAhead ? "Renewing ahead" : "Not renewing ahead"): "
                + "\(tally.wronglyRefused) launches wrongly refused, \(tally.refusedInAll) refused in all</text>"
        ]
        func bar(_ kind: String, _ day: Int, from low: Int, to high: Int) {
            guard high > low else { return }
            let scale = height / Double(highest)
            parts.append(
                "<rect class=\"\(kind)\" x=\"\(short(left + Double(day) * step))\" y=\"\(short(foot - Double(high) * scale))\" "
                    + "width=\"\(short(max(0.5, step - 1)))\" height=\"\(short(Double(high - low) * scale))\"/>")
        }
        if !plan.outage.isEmpty {
            for day in plan.outage where day < plan.days { bar("outage", day, from: 0, to: highest) }
        }
        for day in 0..<plan.days {
            let answered = tally.attempts[day] - tally.failures[day]
            bar("ok", day, from: 0, to: answered)
            bar("no", day, from: answered, to: tally.attempts[day])
        }
        parts.append(
            "<line class=\"axis\" x1=\"\(left)\" y1=\"\(short(foot))\" x2=\"\(left + width)\" y2=\"\(short(foot))\"/>"
                + "<text x=\"\(left - 8)\" y=\"\(short(foot - height + 10))\" text-anchor=\"end\">\(highest)</text>"
                + "<text x=\"\(left - 8)\" y=\"\(short(foot))\" text-anchor=\"end\">0</text>"
                + "<text x=\"\(left)\" y=\"\(short(foot + 16))\">day 1</text>"
                + "<text x=\"\(left + width)\" y=\"\(short(foot + 16))\" text-anchor=\"end\">day \(plan.days)</text>")
        return parts.joined(separator: "\n")
    }

    /// One digit behind the point is enough for an eye.
    private static func short(_ number: Double) -> String { String((number * 10).rounded() / 10) }
}
