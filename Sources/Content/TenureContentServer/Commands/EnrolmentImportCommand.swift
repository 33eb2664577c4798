import TenureCommandLine
import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The command `tenure enrolment import`.
enum EnrolmentImportCommand {
    private static let file = Argument.positional("FILE", "A CSV file whose first line names the columns.", as: .text)

    static func command(_ installations: Installations) -> Command {
        Command(
            "import", "Enrols the holders listed in a CSV file.",
            discussion: """
                The first line names the columns: holder, reference, course or content, and optionally \
                \(EnrolmentField.all.map(\.member.name).andList) (dates such as \
                2027-01-31: a start at 00:00 UTC, an end at 24:00 UTC of that day). Bad rows are reported and the others are imported. Importing the \
                same file again changes nothing. Exits with 1 if a row was bad.
                """,
            example: "tenure enrolment import learners.csv --tenant acme",
            arguments: [file, ContentReference.tenant, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output(outcomes.map { ($0, .integer()) })
        ) { arguments, console in
            guard let text = try? CallersFile.text(of: arguments[file]) else {
                throw CommandError("The file \(arguments[file]) cannot be read or is not UTF-8.")
            }
            let (lines, rows) = try rows(of: text, in: arguments[file])
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let tenant = try ContentReference.tenant(arguments, in: catalog)
            let context = ContentContext(catalog: catalog, clock: installation.clock)
            let progress = console.progress("enrolling", total: rows.count)
            var counts: [String: Int] = [:]
            for start in stride(from: 0, to: rows.count, by: group) {
                let some = start..<min(start + group, rows.count)
                let outcomes = try await context.importEnrolments(Array(rows[some]), of: tenant, by: .commandLine)
                let now = installation.clock.now()
                for (index, outcome) in zip(some, outcomes) {
                    counts[outcome.outcomeName, default: 0] += 1
                    if outcome.hasChanged, let warning = rows[index].terms?.endedWarning(at: now) {
                        progress.clear()
                        console.warn("line \(lines[index]): \(warning)")
                    }
                    guard case .invalid(let code, let detail) = outcome else { continue }
                    progress.clear()
                    console.warn("line \(lines[index]): \(detail) [\(code)]")
                }
                progress.advance(by: some.count)
            }
            progress.finish()
            await installation.store.close()
            console.answer(
                outcomes.map { "\(counts[$0] ?? 0) \($0)" }.joined(separator: ", "),
                asJSON: arguments[SharedOptions.json]
            ) { body in
                for word in outcomes { body.member(word, counts[word] ?? 0) }
            }
            return counts["invalid"] == nil ? .done : .failed
        }
    }

    private static let outcomes = ["added", "changed", "unchanged", "invalid"]
    private static let group = 512
    private static let columns =
        ["holder", "course", "content"] + EnrolmentField.all.map(\.member.name) + ["reference"]

    /// Reads the rows of a CSV file, with the line number of each one.
    private static func rows(
        of text: String, in path: String
    ) throws(CommandError) -> ([Int], [EnrolmentImport.Row]) {
        var table = try CSVTable(text, of: columns, in: path)
        let head = table.columns
        var lines: [Int] = []
        var rows: [EnrolmentImport.Row] = []
        while let record = try table.next(in: path) {
            lines.append(record.line)
            guard record.cells.count == head.count else {
                rows.append(
                    .unread(
                        code: "field_missing",
                        detail: "The row has \(record.cells.count) cells, but the file has \(head.count) columns."))
                continue
            }
            rows.append(row(Dictionary(zip(head, record.cells), uniquingKeysWith: { $1 }).filter { !$0.value.isEmpty }))
        }
        return (lines, rows)
    }

    private static func row(_ cells: [String: String]) -> EnrolmentImport.Row {
        var wrong: String?
        func time(_ name: String, _ read: (String) -> Timestamp?) -> Timestamp? {
            guard let text = cells[name] else { return nil }
            let time = read(text)
            if time == nil { wrong = wrong ?? name }
            return time
        }
        let row = EnrolmentImport.Row(
            ImportedCells(
                text: { cells[$0] }, start: { time($0) { Timestamp(text: $0) } },
                end: { time($0) { Timestamp(endText: $0) } }))
        guard let wrong else { return row }
        return .unread(code: "field_invalid", detail: "\(wrong) is not a date such as 2027-01-31.")
    }
}

extension EnrolmentImport.Row {
    /// The terms that the row names; `nil` if it can't be read.
    fileprivate var terms: Enrolment.Terms? { if case .order(let order) = self { order.terms } else { nil } }
}

extension EnrolmentImport.Outcome {
    /// Whether the row added or changed an enrolment.
    fileprivate var hasChanged: Bool {
        switch self {
        case .added, .changed: true
        case .unchanged, .invalid: false
        }
    }
}
