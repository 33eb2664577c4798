import Foundation

/// Reads tables of the documentation, which tests compare with the code.
public enum DocumentedTable {
    /// Returns the cells of the table below a heading, row by row, without the table's head.
    public static func rows(of page: String, below heading: String) throws -> [[String]] {
        let url = URL.packageRoot.appending(path: "Documentation/\(page)")
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        return lines.drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
            .filter { $0.hasPrefix("| ") }.dropFirst()
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    /// A row of the table of renewed terms in `license-terms.md`. Its dates have no time of day.
    public struct Ends: Sendable {
        /// The day on which the term starts.
        public let start: String
        /// The policy's duration in ISO 8601.
        public let duration: String
        /// The term's end after each renewal, in order.
        public let ends: [String]
    }

    /// Reads the documented ends of renewed terms.
    public static func ends() throws -> [Ends] {
        try rows(of: "license-terms.md", below: "The ends of renewed terms").map { cells in
            Ends(start: cells[0], duration: cells[1], ends: cells[2].components(separatedBy: ", "))
        }
    }
}
