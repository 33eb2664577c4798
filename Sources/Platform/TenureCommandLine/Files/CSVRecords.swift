/// Reads comma-separated values (RFC 4180); quoted cells may contain commas, line ends and doubled quotes.
package struct CSVRecords {
    private var rest: Substring.UnicodeScalarView
    private var line = 1
    private let separator: Unicode.Scalar
    /// Whether the text ended within a quoted cell.
    package private(set) var isUnclosed = false

    /// Creates a reader of a whole file's text; this program separates the cells of its own files by commas.
    package init(_ text: String, separator: Unicode.Scalar = ",") {
        self.separator = separator
        rest = text.unicodeScalars[...]
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
    }

    /// Returns the cells of the next record and the number of its first line, or `nil` at the end.
    package mutating func next() -> (line: Int, cells: [String])? {
        guard !rest.isEmpty else { return nil }
        let start = line
        var cells: [String] = []
        var cell = String.UnicodeScalarView()
        var isQuoted = false
        // A carriage return outside quotes at the end of a record belongs to the line end, not to the cell.
        var endsBare = false
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"":
                cell.append(scalar)
                rest.removeFirst()
            case "\"" where isQuoted || cell.isEmpty:
                isQuoted.toggle()
                endsBare = false
            case separator where !isQuoted:
                cells.append(String(cell))
                cell = .init()
            case "\n" where !isQuoted:
                line += 1
                if endsBare, cell.last == "\r" { cell.removeLast() }
                return (start, cells + [String(cell)])
            default:
                if scalar == "\n" { line += 1 }
                cell.append(scalar)
                endsBare = !isQuoted
            }
        }
        isUnclosed = isQuoted
        if endsBare, cell.last == "\r" { cell.removeLast() }
        return (start, cells + [String(cell)])
    }
}
