import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The file with the results of issuing a license for each row of another file, in the same order.
///
/// The key of a row is on disk before its license is issued. A command that continues the file issues the missing
/// licenses under the keys that are already in it. So it never invalidates a key that was handed out.
struct IssuedFile {
    let path: String
    let isMarked: Bool
    let rows: [LicenseOrder.Row]
    let product: ProductRef
    let isMailed: Bool
    let licensing: LicensingContext

    /// Issues every row that hasn't been issued, and reports the result.
    func complete(_ arguments: Parsed, _ console: Console) async throws -> ExitCode {
        let (file, written) = try open()
        let missing = try await unissued(written)
        let total = missing.count + rows.count - written.count
        let interruption = Interruption()
        let progress = console.progress("issuing", total: total)
        let batch = isMailed ? LicenseIssueCommand.batchOfLetters : LicenseIssueCommand.batch
        var done = 0
        while done < total, !interruption.isAsked {
            let left = missing.dropFirst(done).prefix(batch)
            let count: Int
            if left.isEmpty {
                let rest = rows.dropFirst(written.count + done - missing.count).prefix(batch)
                let draft = try await licensing.draftLicenses(
                    Array(rest), of: product, isMailed: isMailed, by: .commandLine)
                count = try await grant(draft, to: file)
            } else {
                let draft = try await licensing.draftLicenses(
                    again: Array(left), of: product, isMailed: isMailed, by: .commandLine)
                if isMailed, let draft, draft.minted.contains(where: { $0.derivation == nil }) {
                    throw foreign("it has keys that were generated without --mail")
                }
                count = try await grant(draft, to: nil)
            }
            done += count
            progress.advance(by: count)
        }
        progress.finish()
        let isWhole = done == total
        if !isWhole {
            console.warn("stopped: \(done) of \(total) licenses were issued. Repeat the command to continue.")
        }
        console.answer(
            total == 0
                ? "all \(rows.count) rows were issued already"
                : "issued \(done.of("license")); the keys are in \(path)",
            asJSON: arguments[SharedOptions.json]
        ) { body in
            body.member("rows", rows.count)
            body.member("issued", done)
        }
        return isWhole ? .done : .interrupted
    }

    /// Issues a draft and returns the number of its licenses; 0 if the policy has changed meanwhile.
    private func grant(_ draft: LicenseDraft?, to file: CSVFile?) async throws -> Int {
        guard let draft else {
            throw CommandError(
                "A policy of \(product) no longer exists. Run `tenure apply FILE` to add it again, then repeat the command "
                    + "to continue.")
        }
        let isGranted = try await LicenseIssueCommand.grant(
            draft, with: licensing, writing: file, orElse: "Repeat the command to continue.")
        return isGranted ? draft.issued.count : 0
    }

    /// Creates the file, or continues it; returns the rows that it contains, with their keys and ids.
    private func open() throws -> (CSVFile, [MintedLicense]) {
        guard CallersFile.exists(path) else {
            return (try CSVFile(creating: path, columns: LicenseIssueCommand.columns, isMarked: isMarked), [])
        }
        let (file, text) = try CSVFile.continuing(path)
        var records = CSVRecords(text)
        guard let head = records.next()?.cells else {
            try file.write(row: LicenseIssueCommand.columns)
            return (file, [])
        }
        guard head == LicenseIssueCommand.columns else { throw foreign("its first line differs") }
        var written: [MintedLicense] = []
        while let (line, cells) = records.next() {
            guard cells.count == head.count, let key = LicenseKeyText(cells[0]), let id = LicenseID(text: cells[1])
            else {
                throw foreign("line \(line) has no key and license")
            }
            guard written.count < rows.count, Self.texts(of: rows[written.count]) == Self.texts(cells) else {
                throw foreign("line \(line) is for another policy, holder or order")
            }
            written.append(.init(row: Self.row(rows[written.count], endingAs: cells), text: key, id: id))
        }
        return (file, written)
    }

    private func foreign(_ why: String) -> CommandError {
        CommandError("\(path) wasn't written for these rows: \(why). Nothing was issued. Choose a new file with --out.")
    }

    /// Returns the written rows that have no license.
    private func unissued(_ written: [MintedLicense]) async throws -> [MintedLicense] {
        var missing: [MintedLicense] = []
        for start in stride(from: 0, to: written.count, by: LicenseIssueCommand.batch) {
            let some = written[start..<min(start + LicenseIssueCommand.batch, written.count)]
            let ids = try await licensing.store.missingLicenses(among: some.map(\.id))
            missing += some.filter { ids.contains($0.id) }
        }
        return missing
    }
}

extension IssuedFile {
    private static let compared = [LicenseField.policy.member.name] + LicenseField.texts.map(\.member.name)

    /// The policy, the holder, the address and name for letters, and the order of a row, as its line contains them.
    private static func texts(of row: LicenseOrder.Row) -> [String] {
        var terms = LicenseTerms(policy: row.policy, term: .perpetual(from: Timestamp(seconds: 0)))
        _ = terms.apply(row.terms, at: Timestamp(seconds: 0))
        let texts = [terms.holder, terms.holderEmail, terms.holderName, terms.order].map { $0 ?? "" }
        var records = CSVRecords(CSVRow.text(of: [terms.policy.text] + texts))
        return records.next()?.cells ?? []
    }

    private static func texts(_ cells: [String]) -> [String] {
        compared.compactMap { name in LicenseIssueCommand.columns.firstIndex(of: name).map { cells[$0] } }
    }

    /// The row with the end of the term that its line contains.
    private static func row(_ row: LicenseOrder.Row, endingAs cells: [String]) -> LicenseOrder.Row {
        var row = row
        let position = LicenseIssueCommand.columns.firstIndex(of: LicenseField.end.member.name)
        if let position, let end = Timestamp(text: cells[position]) { row.terms.append(.end(.at(end))) }
        return row
    }
}
