/// Bar charts of daily numbers, for a terminal or as SVG.
enum FleetPlot {
    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Draws a bar chart that is `height` lines high.
    ///
    /// If there are more days than columns, neighbouring days share a bar, which shows their mean.
    ///
    /// The first line is labelled with the highest value, and a line below the bars names the first and the last day.
    static func lines(_ values: [Int], columns: Int, height: Int = 6) -> [String] {
        guard !values.isEmpty else { return [] }
        let perBar = max(1, (values.count + columns - 1) / max(1, columns))
        let bars = stride(from: 0, to: values.count, by: perBar).map { start in
            let part = values[start..<min(values.count, start + perBar)]
            return Double(part.reduce(0, +)) / Double(part.count)
        }
        let highest = max(1, bars.max() ?? 1)
        let label = String(Int(highest.rounded()))
        var lines = (0..<height).map { row in
            let floor = Double(height - 1 - row)
            let line = bars.map { bar in
                let level = bar / highest * Double(height) - floor
                // A value above zero always shows, at least at the bottom.
                let eighths = bar > 0 && floor == 0 ? max(1, Int(level * 8)) : Int(level * 8)
                return blocks[min(8, max(0, eighths))]
            }
            let margin = row == 0 ? label : row == height - 1 ? "0" : ""
            return String(repeating: " ", count: label.count - margin.count) + margin + " │" + String(line)
        }
        let first = "day 1"
        let last = "day \(values.count)"
        let gap = max(1, bars.count - first.count - last.count)
        lines.append(
            String(repeating: " ", count: label.count + 2) + first + String(repeating: " ", count: gap) + last)
        return lines
    }
}

extension FleetPlot {
    /// Draws the renewal attempts per day as an SVG document, with one chart for each run and the same scale for all.
    ///
    /// Answered attempts are blue, unanswered attempts orange, and the days on which the server was down are shaded.
    static func svg(_ tallies: [FleetTally], of plan: FleetPlan) -> String {
        let highest = max(1, tallies.flatMap(\.attempts).max() ?? 1)
        let rows = tallies.enumerated().map { index, tally in
            chart(tally, plan, highest: highest, top: 30 + Double(index) * 220)
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

    /// Rounds to one decimal, which is precise enough for drawing.
    private static func short(_ number: Double) -> String { String((number * 10).rounded() / 10) }
}
