/// A line of comma-separated values (RFC 4180), safe to open in a spreadsheet.
///
/// Cells are looked at by scalars: to Swift a comma, a quote or a line feed with a mark behind it is another character,
/// to whoever reads the file it is not.
package enum CSVRow {
    /// The line, with its line end.
    package static func text(of cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\n"
    }

    /// Quotes what needs it, and disarms what a spreadsheet would take for a formula.
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

    /// Whether the first sign that is seen begins a formula, in half or full width.
    private static func isFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        if first == "\t" || first == "\r" || first == "\n" { return true }
        let seen = text.unicodeScalars.first { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
        return seen.map("=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{2212}".unicodeScalars.contains) ?? false
    }
}
