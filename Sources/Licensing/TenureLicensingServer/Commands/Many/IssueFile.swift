import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit

/// A CSV file with a row for each license to issue.
enum IssueFile {
    /// The names of the columns that the file may have, in any order.
    static let columns = fields.map(\.member.name)

    private static let fields = LicenseField.all

    /// The settings with which a file's rows are read.
    struct Reading {
        let product: Product
        /// The policy of rows that don't name one; `nil` if each row must name its own.
        let policy: PolicyID?
        /// The values of fields that a row leaves empty.
        let terms: [LicenseTerms.FieldChange]
        /// Whether terms that have already ended are accepted.
        let acceptsPast: Bool
        let now: Timestamp

        /// Reads the rows; throws and lists the mistakes if there are any.
        func rows(of path: String) throws -> [LicenseOrder.Row] {
            guard let text = try? CallersFile.text(of: path) else {
                throw CommandError("The file \(path) cannot be read or is not UTF-8.")
            }
            var table = try CSVTable(text, of: columns, in: path) { name in
                name == "key" ? " To import existing keys, list them in a catalog file." : ""
            }
            var (rows, mistakes): ([LicenseOrder.Row], [String]) = ([], [])
            while let (line, cells) = try table.next(in: path) {
                do {
                    rows.append(try row(cells, under: table.columns))
                } catch {
                    mistakes.append("line \(line): \(error)")
                }
            }
            if !mistakes.isEmpty {
                let more = mistakes.count > Self.mostMistakes ? ["and \(mistakes.count - Self.mostMistakes) more"] : []
                let list = (mistakes.prefix(Self.mostMistakes) + more).map { "\n  " + $0.printable }.joined()
                throw CommandError("Nothing was issued. Correct these rows of \(path):\(list)")
            }
            guard !rows.isEmpty else { throw CommandError("The file \(path) has no rows. Nothing was issued.") }
            return rows
        }

        private static let mostMistakes = 20

        private func row(_ cells: [String], under head: [String]) throws -> LicenseOrder.Row {
            guard cells.count == head.count else {
                throw CommandError("the row has \(cells.count) cells, but the file has \(head.count) columns")
            }
            var (policy, changes) = (policy, terms)
            for (name, cell) in zip(head, cells) where !cell.isEmpty {
                guard let field = fields.first(where: { $0.member.name == name }) else { continue }
                guard let change = try (field.issue ?? field.change).option.read(cell) else { continue }
                if case .policy(let named) = change { policy = named } else { changes.append(change) }
            }
            guard let policy else { throw CommandError("it names no policy; add a column policy, or give --policy") }
            guard product.policies[policy] != nil else {
                throw CommandError("\(product.ref) has no policy \(policy)")
            }
            try changes.checkEnd(isMeant: acceptsPast, at: now)
            return LicenseOrder.Row(policy: policy, terms: changes)
        }
    }
}
