extension TextTable {
    /// Lays out the table for a terminal of a given width.
    ///
    /// A table that is too wide loses its empty columns, then the zones and the times of its dates. If that isn't
    /// enough, its last column is wrapped, or each row gets two lines, or a line for each of its cells.
    func fitted(to width: Int, isColoured: Bool) -> Layout {
        let full = wide(isColoured: isColoured)
        if rows.isEmpty || totalWidth <= width { return full }
        var table = withoutEmptyColumns()
        for form in [DateForm.full, .withoutZone, .day] {
            table = table.with(form)
            if table.totalWidth <= width { return table.banded([table.columns.indices], isColoured: isColoured) }
        }
        if let wrapped = table.wrappingLast(to: width, isColoured: isColoured) { return wrapped }
        if let bands = table.bands(for: width) { return table.banded(bands, isColoured: isColoured) }
        return table.stacked(to: width, isColoured: isColoured)
    }

    /// How a date and time is shortened.
    private enum DateForm { case full, withoutZone, day }

    private func width(of column: Int) -> Int {
        rows.reduce(columns[column].title.displayWidth) { max($0, $1[column].displayWidth) }
    }

    private var totalWidth: Int { columns.indices.reduce(-2) { $0 + 2 + width(of: $1) } }

    /// The table without the columns in which every cell is empty or `-`.
    private func withoutEmptyColumns() -> TextTable {
        let filled = columns.indices.filter { index in rows.contains { !["", "-"].contains($0[index]) } }
        guard !rows.isEmpty, !filled.isEmpty else { return self }
        return replacingRows(filled.map { columns[$0] }, rows.map { row in filled.map { row[$0] } })
    }

    private func with(_ form: DateForm) -> TextTable {
        guard form != .full else { return self }
        return replacingRows(columns, rows.map { $0.map { form == .day ? $0.withDays : $0.withShortDates } })
    }

    private func replacingRows(_ columns: [Column], _ rows: [[String]]) -> TextTable {
        var table = TextTable(columns)
        for row in rows { table.add(row) }
        return table
    }
}

extension TextTable {
    /// The smallest width, in characters, to which the last column is wrapped.
    private static let leastWrapped = 24

    /// Wraps the texts of the last column at their spaces; `nil` if too little space is left for it.
    private func wrappingLast(to width: Int, isColoured: Bool) -> Layout? {
        let last = columns.count - 1
        let indent = columns.indices.dropLast().reduce(0) { $0 + 2 + self.width(of: $1) }
        guard last > 0, width - indent >= Self.leastWrapped else { return nil }
        let wrapped = rows.map { $0[last].wrapped(to: width - indent) }
        guard wrapped.joined().allSatisfy({ $0.displayWidth <= width - indent }) else { return nil }
        let firsts = zip(rows, wrapped).map { row, texts in Array(row.dropLast()) + [texts.first ?? ""] }
        var layout = replacingRows(columns, firsts).banded([columns.indices], isColoured: isColoured)
        for (index, texts) in wrapped.enumerated() {
            layout.rows[index] += texts.dropFirst().map { String(repeating: " ", count: indent) + $0 }
        }
        return layout
    }

    /// Distributes the columns over two lines; `nil` if they need more.
    private func bands(for width: Int) -> [Range<Int>]? {
        func end(from start: Int, in width: Int) -> Int {
            var (end, used) = (start, -2)
            while end < columns.count, used + 2 + self.width(of: end) <= width {
                used += 2 + self.width(of: end)
                end += 1
            }
            return end
        }
        let first = end(from: 0, in: width)
        guard first > 0, first < columns.count, end(from: first, in: width - Self.indent.count) == columns.count
        else { return nil }
        return [0..<first, first..<columns.count]
    }

    private static let indent = "  "

    /// Lays out each row with one line for each range of columns; all but the first line are indented.
    private func banded(_ bands: [Range<Int>], isColoured: Bool) -> Layout {
        var layout = Layout(rows: rows.map { _ in [] })
        for band in bands {
            let part = replacingRows(Array(columns[band]), rows.map { Array($0[band]) })
            let indent = band.lowerBound == 0 ? "" : Self.indent
            let widths = part.columns.indices.map { part.width(of: $0) }
            let heading = part.line(
                part.columns.map(\.title), widths, isColoured: false, measure: { $0.displayWidth })
            layout.heading.append(indent + (isColoured ? Emphasis.bold.applied(to: heading) : heading))
            for (index, row) in part.rows.enumerated() {
                layout.rows[index].append(
                    indent + part.line(row, widths, isColoured: isColoured, measure: { $0.displayWidth }))
            }
        }
        return layout
    }

    /// Lays out each row as a block with a line for each of its cells, with an empty line between rows.
    private func stacked(to width: Int, isColoured: Bool) -> Layout {
        let labels = columns.reduce(0) { max($0, $1.title.displayWidth) } + 2
        let blocks = rows.enumerated().map { index, row in
            var lines = index == 0 ? [] : [""]
            for (column, cell) in zip(columns, row) where !["", "-"].contains(cell) {
                let gap = String(repeating: " ", count: labels - column.title.displayWidth)
                let label = isColoured ? Emphasis.bold.applied(to: column.title) : column.title
                let texts = cell.wrapped(to: max(1, width - labels))
                for (part, text) in texts.enumerated() {
                    let shown = isColoured && column.isState ? text.inColourOfState : text
                    lines.append((part == 0 ? label + gap : String(repeating: " ", count: labels)) + shown)
                }
            }
            return lines
        }
        return Layout(rows: blocks)
    }
}

extension String {
    /// The number of columns that the text takes on a terminal.
    var displayWidth: Int { unicodeScalars.reduce(0) { $0 + $1.displayWidth } }

    /// The text in lines of at most this width, broken at spaces; a longer word has a line of its own.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in unicodeScalars.split(separator: " ").map({ String($0) }) {
            if !line.isEmpty, line.displayWidth + 1 + word.displayWidth > width {
                lines.append(line)
                line = word
            } else {
                line += (line.isEmpty ? "" : " ") + word
            }
        }
        return lines + [line]
    }

    /// The text with the zone removed from each date and time for people: `8 Dec 2026, 19:39`.
    var withShortDates: String { replacingDates { "\($0), \($1)" } }

    /// The text with each date and time for people reduced to the day: `8 Dec 2026`.
    var withDays: String { replacingDates { day, _ in String(day) } }

    private func replacingDates(_ short: (_ day: Substring, _ time: Substring) -> String) -> String {
        let months =
            /([0-9]{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))[a-z]*( [0-9]{4}), ([0-9]{2}:[0-9]{2})(?: [A-Z0-9+-]+)?/
        return replacing(months) { found in
            short(Substring(found.output.1 + found.output.2), found.output.3)
        }
    }
}

extension Unicode.Scalar {
    /// The number of columns that the scalar takes on a terminal: 0 for marks, 2 for East Asian wide characters.
    fileprivate var displayWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
