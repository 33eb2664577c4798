/// The rows of a CSV file from outside, whose first line names its columns.
///
/// Spreadsheets write such files with commas, semicolons or tabs, with spaces around names, and with empty rows.
package struct CSVTable {
    /// The names of the columns, from left to right.
    package let columns: [String]
    private var records: CSVRecords

    /// Reads the names of the columns from the first line.
    ///
    /// - Parameters:
    ///   - text: The whole file.
    ///   - expected: The columns that the file may have.
    ///   - path: The file's name, for errors.
    ///   - hint: What to do about an unknown column; may be empty.
    /// - Throws: ``CommandError`` if the file is empty, or a column is unknown or named twice.
    package init(
        _ text: String, of expected: [String], in path: String, hint: (String) -> String = { _ in "" }
    ) throws(CommandError) {
        records = CSVRecords(text, separator: Self.separator(of: text))
        guard let head = try Self.next(&records, in: path)?.cells else {
            throw CommandError("The file \(path.printable) is empty. Its first line must name the columns.")
        }
        columns = head.map(\.withoutOuterSpace)
        if let name = columns.first(where: { !expected.contains($0) }) {
            throw CommandError(
                "The file has an unknown column \(name.named). The columns are "
                    + "\(expected.joined(separator: ", ")).\(hint(name))")
        }
        var seen: Set<String> = []
        if let name = columns.first(where: { !seen.insert($0).inserted }) {
            throw CommandError("The file names the column \(name) twice. Remove one of them.")
        }
    }

    /// Returns the next row that isn't empty and the number of its first line, or `nil` at the end.
    ///
    /// Throws ``CommandError`` if a quote isn't closed.
    package mutating func next(in path: String) throws(CommandError) -> (line: Int, cells: [String])? {
        try Self.next(&records, in: path)
    }

    private static func next(
        _ records: inout CSVRecords, in path: String
    ) throws(CommandError) -> (line: Int, cells: [String])? {
        while let record = records.next() {
            guard !records.isUnclosed else {
                throw CommandError(
                    "\(path.printable): the quote that begins in line \(record.line) isn't closed. Correct that row.")
            }
            if record.cells.contains(where: { !$0.withoutOuterSpace.isEmpty }) { return record }
        }
        return nil
    }

    /// The separator that occurs most often outside quotes in the first line; a comma if the line has no separator.
    private static func separator(of text: String) -> Unicode.Scalar {
        var counts: [Unicode.Scalar: Int] = [:]
        var (isQuoted, isBlank) = (false, true)
        for scalar in text.unicodeScalars {
            if scalar == "\n", !isQuoted, !isBlank { break }
            if scalar == "\"" { isQuoted.toggle() }
            if !scalar.properties.isWhitespace, scalar != "\u{FEFF}" { isBlank = false }
            if !isQuoted, [",", ";", "\t"].contains(scalar) { counts[scalar, default: 0] += 1 }
        }
        let most = [",", ";", "\t"].max { counts[$0] ?? 0 < counts[$1] ?? 0 } as Unicode.Scalar?
        return most.flatMap { counts[$0] == nil ? nil : $0 } ?? ","
    }
}

extension String {
    fileprivate var withoutOuterSpace: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
