import TenureCommandLine

/// Prints a report on the terminal, with control characters in the server's texts escaped.
enum ConformanceTable {
    static func tell(_ report: ConformanceReport, whole: Bool, on console: Console) {
        var table = TextTable([.text("family"), .number("pass"), .number("fail"), .number("skip")])
        var colours: [Emphasis?] = []
        for (family, _) in ConformanceCheck.families {
            let counts = ["pass", "fail", "skip"].map { report.count($0, in: family) }
            table.add([family] + counts.map(String.init))
            colours.append(counts[1] > 0 ? .red : counts[0] > 0 ? .green : nil)
        }
        console.answer(table, colours: colours)
        var lines: [String] = []
        for result in report.failures {
            lines += ["", "\(result.check.severity.rawValue)  \(result.check.id): \(result.check.title)"]
            lines.append("    \(result.cause ?? "") Expected: \(result.check.expected).")
            if let sent = result.sent { lines.append("    \(sent): \(result.received ?? "")") }
            lines.append("    \(result.check.fix) (\(result.check.source))")
        }
        if whole {
            lines.append("")
            for result in report.results where result.outcomeName != "fail" {
                lines.append("\(result.outcomeName)  \(result.check.id)\(result.cause.map { ": " + $0 } ?? "")")
            }
        } else {
            lines += skips(of: report)
        }
        let counts = ["pass", "fail", "skip"].map { "\(report.count($0)) \($0)" }.joined(separator: ", ")
        lines += ["", "\(report.target), \(report.mode.rawValue) mode: \(counts)"]
        if let remains = report.remains { lines.append(remains.sentence) }
        console.answer(lines: lines)
    }

    /// The reasons why checks were skipped, each with its number of checks.
    private static func skips(of report: ConformanceReport) -> [String] {
        let skipped = report.results.filter { $0.outcomeName == "skip" }
        let causes = Dictionary(grouping: skipped) { $0.cause ?? "" }
        let sorted = causes.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return sorted.isEmpty ? [] : [""] + sorted.map { "\($0.value.count) skipped: \($0.key)" }
    }
}
