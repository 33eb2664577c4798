/// Rows under headings, in aligned columns.
package struct TextTable: Sendable {
    package struct Column: Sendable, Hashable {
        let title: String
        var isNumber = false
        var isState = false

        /// A left-aligned column of texts.
        package static func text(_ title: String) -> Column { Column(title: title) }

        /// A left-aligned column of states or levels, which are coloured on a terminal.
        package static func state(_ title: String) -> Column { Column(title: title, isState: true) }

        /// A right-aligned column of numbers.
        package static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; missing cells stay empty, and extra cells are a programming error.
    package mutating func add(_ cells: [String]) {
        precondition(cells.count <= columns.count, "a row has more cells than the table has columns")
        rows.append(cells.map(\.printable) + Array(repeating: "", count: columns.count - cells.count))
    }

    /// The lines of a table: those of the headings, and those of each row.
    struct Layout {
        var heading: [String] = []
        var rows: [[String]] = []
    }

    /// Lays out the table with one line for each row, however long, and without trailing spaces.
    ///
    /// - Parameter isColoured: Whether headings are bold and states have colours.
    func wide(isColoured: Bool = false) -> Layout {
        let widths = columns.indices.map { index in
            rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
        }
        let heading = line(columns.map(\.title), widths, isColoured: false, measure: \.count)
        return Layout(
            heading: [isColoured ? Emphasis.bold.applied(to: heading) : heading],
            rows: rows.map { [line($0, widths, isColoured: isColoured, measure: \.count)] })
    }

    func line(
        _ cells: [String], _ widths: [Int], isColoured: Bool, measure: (String) -> Int
    ) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let column = columns[index]
            let gap = String(repeating: " ", count: max(0, widths[index] - measure(cell)))
            let text = isColoured && column.isState ? cell.inColourOfState : cell
            line += (index > 0 ? "  " : "") + (column.isNumber ? gap + text : text + gap)
        }
        let end = line.lastIndex { $0 != " " }
        return end.map { String(line[...$0]) } ?? ""
    }
}

extension String {
    /// The text with control characters escaped, so that untrusted text can't control the terminal.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\t": text += "\\t"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case _ where scalar.isControl: text += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// This JSON text with DEL and all control characters outside ASCII escaped.
    ///
    /// The result is equivalent JSON, because such characters occur only in strings.
    package var printableJSON: String {
        guard unicodeScalars.contains(where: { $0.value > 0x7E && $0.isControl }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.value > 0x7E, scalar.isControl {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text as error messages quote it: printable, at most 200 characters, with an empty text shown as two quotes.
    var named: String {
        if isEmpty { return "''" }
        let start = String(String.UnicodeScalarView(unicodeScalars.prefix(200))).printable
        return unicodeScalars.count > 200 ? start + "…" : start
    }

    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control (C0, DEL, C1), a line separator or a mark that changes the text direction.
    fileprivate var isControl: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
