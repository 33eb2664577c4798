/// A line of comma-separated values (RFC 4180) that is safe to open in a spreadsheet.
///
/// Cells are processed as Unicode scalars. Swift merges a comma, quote or line feed with a following combining mark
/// into another character, but programs that read the file don't.
package enum CSVRow {
    /// Returns the cells as one line, quoted where needed, with a line feed at the end.
    package static func text(of cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\n"
    }

    /// Returns a cell as the file contains it, quoted where needed. A text that a spreadsheet would take for a formula
    /// gets an apostrophe before it.
    private static func cell(_ text: String) -> String {
        let disarmed = isFormula(text) ? "'" + text : text
        guard disarmed.utf8.contains(where: { [0x2C, 0x22, 0x0D, 0x0A].contains($0) }) else { return disarmed }
        var quoted = "\""
        for scalar in disarmed.unicodeScalars {
            if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    /// Whether a spreadsheet may take the text for a formula.
    ///
    /// It may because of the first visible character, in half or full width, or because of a leading tab or line break.
    private static func isFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        if first == "\t" || first == "\r" || first == "\n" { return true }
        let seen = text.unicodeScalars.first { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
        return seen.map("=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{2212}".unicodeScalars.contains) ?? false
    }
}
