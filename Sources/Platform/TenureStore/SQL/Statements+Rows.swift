extension SQLDialect {
    /// The statement that inserts a new row; bind the values of ``TableShape/newColumns`` in order.
    ///
    /// A row of an append-only table gets the number of its counter, which must have been raised before.
    package func inserting(_ table: TableShape) -> String {
        guard let counter = table.counter, let number = table.keyColumns.last else {
            return inserting(table, table.newColumns)
        }
        let matches = zip(counter.keyColumns, table.keyColumns).map { own, other in
            "\(counter.columns[own].name) = \(position((table.newColumns.firstIndex(of: other) ?? 0) + 1))"
        }
        let values =
            table.newColumns.indices.map { position($0 + 1) } + [
                "(SELECT \(counter.columns[counter.numberColumn].name) FROM \(counter.name) "
                    + "WHERE \(matches.joined(separator: " AND ")))"
            ]
        return "INSERT INTO \(table.name) (\(table.names(table.newColumns + [number]))) "
            + "VALUES (\(values.joined(separator: ", ")))"
    }

    /// The statement that raises a counter by one; bind its key.
    package func raising(counter: TableShape) -> String {
        let number = counter.columns[counter.numberColumn].name
        return "UPDATE \(counter.name) SET \(number) = \(number) + 1\(keyed(counter))"
    }

    /// The statement that creates a counter that has assigned the number 1; bind its key.
    package func starting(counter: TableShape) -> String {
        let values = counter.keyColumns.indices.map { position($0 + 1) } + ["1"]
        return "INSERT INTO \(counter.name) (\(counter.names(counter.keyColumns + [counter.numberColumn]))) "
            + "VALUES (\(values.joined(separator: ", ")))"
    }

    /// The statement that inserts a row from another store unchanged; bind all columns.
    ///
    /// In a single-row table, it updates the existing row.
    package func adopting(_ table: TableShape) -> String {
        let all = Array(table.columns.indices)
        guard !table.keyColumns.isEmpty else { return "UPDATE \(table.name) SET " + assignments(table, all, from: 1) }
        return inserting(table, all) + table.onAdoption
    }

    private func inserting(_ table: TableShape, _ positions: [Int]) -> String {
        let values = positions.indices.map { position($0 + 1) }.joined(separator: ", ")
        return "INSERT INTO \(table.name) (\(table.names(positions))) VALUES (\(values))"
    }

    /// The statement that updates the columns of a bit mask in one row; bind the key, then the columns in order.
    package func updating(_ table: TableShape, _ mask: UInt64) -> String {
        "UPDATE \(table.name) SET " + assignments(table, table.columns(in: mask), from: table.keyColumns.count + 1)
            + keyed(table)
    }

    /// The statement that deletes one row; bind its key.
    package func deleting(_ table: TableShape) -> String { "DELETE FROM \(table.name)" + keyed(table) }

    /// The statement that inserts a row of a key and a value, or raises its value; bind the key and the value.
    package func raising(_ table: TableShape) -> String { inserting(table, [0, 1]) + table.onRaise }

    private func assignments(_ table: TableShape, _ positions: [Int], from first: Int) -> String {
        positions.enumerated().map { number, column in "\(table.columns[column].name) = \(position(first + number))" }
            .joined(separator: ", ")
    }

    private func keyed(_ table: TableShape) -> String {
        let parts = table.keyColumns.enumerated().map { number, column in
            "\(table.columns[column].name) = \(position(number + 1))"
        }
        return parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
    }
}

/// The SQL text of a listing and its bound values; it isn't prepared for reuse.
package struct ListingStatement {
    /// The SQL text, with placeholders for the values.
    package private(set) var text: String
    /// The values to bind, in the order of their placeholders.
    package private(set) var values: [StoredValue] = []

    private let dialect: SQLDialect
    private let listing: ListingShape

    package init(_ listing: ListingShape, in dialect: SQLDialect) {
        self.dialect = dialect
        self.listing = listing
        let set = listing.set
        text = ""
        var filter = set.columns.indices.map { dialect.comparison(set, $0, with: bind(listing.values[$0])) }
        filter += dialect.conditions(set)
        // An alternative without comparisons matches every row.
        if !listing.alternatives.isEmpty, !listing.alternatives.contains(where: \.isEmpty) {
            let alternatives = listing.alternatives.map { comparisons in
                comparisons.map { spell($0.column, $0.test) }.joined(separator: " AND ")
            }
            filter.append(
                alternatives.count == 1
                    ? alternatives[0] : alternatives.map { "(\($0))" }.joined(separator: " OR ").parted)
        }
        if !listing.cursor.isEmpty { filter.append(behind(listing.cursor)) }
        let limit = bind(.integer(Int64(listing.limit)))
        text =
            "SELECT \(dialect.columns(set.table)) FROM \(set.table.name)"
            + (filter.isEmpty ? "" : " WHERE " + filter.joined(separator: " AND "))
            + dialect.order(set, isBackwards: listing.isBackwards) + " LIMIT \(limit)"
    }

    private mutating func bind(_ value: StoredValue) -> String {
        values.append(value)
        return dialect.position(values.count)
    }

    /// The name of a column in the filter.
    ///
    /// Without statistics, SQLite may start from any indexed column. A unary plus keeps it from using an index on
    /// columns that aren't part of the set's order.
    private func name(_ column: Int) -> String {
        let set = listing.set
        let isSets = set.columns.isEmpty && set.conditions.isEmpty || set.order.contains { $0.column == column }
        return (dialect == .sqlite && !isSets ? "+" : "") + set.table.columns[column].name
    }

    private mutating func spell(_ column: Int, _ test: Comparison.Test) -> String {
        let name = name(column)
        return switch test {
        case .isNull: "\(name) IS NULL"
        case .isNotNull: "\(name) IS NOT NULL"
        case .isOneOf(let values) where values.count == 1: "\(name) = \(bind(values[0]))"
        case .isOneOf(let values): values.isEmpty ? "1 = 0" : "\(name) IN (\(list(values)))"
        case .below(let value): "\(name) < \(bind(value))"
        case .atMost(let value): "\(name) <= \(bind(value))"
        case .atLeast(let value): "\(name) >= \(bind(value))"
        case .above(let value): "\(name) > \(bind(value))"
        case .begins(let text): begins(name, text)
        }
    }

    private mutating func list(_ values: [StoredValue]) -> String {
        var positions: [String] = []
        for value in values { positions.append(bind(value)) }
        return positions.joined(separator: ", ")
    }

    private mutating func begins(_ name: String, _ text: String) -> String {
        let position = bind(.text(text))
        return dialect == .postgres
            ? "starts_with(\(name), \(position))" : "substr(\(name), 1, length(\(position))) = \(position)"
    }

    /// The condition for rows after the last row of the previous page, in the set's order.
    private mutating func behind(_ cursor: [StoredValue]) -> String {
        let set = listing.set
        let cursor = zip(set.order, cursor).filter { step, _ in
            set.sorting.contains { $0.column == step.column }
        }.map(\.1)
        let directions = set.sorting.map { $0.isDescending != listing.isBackwards }
        let names = set.sorting.map { set.table.columns[$0.column].name }
        // All rows of the set are equal in the columns of the order, so there is only one.
        if names.isEmpty { return "1 = 0" }
        if Set(directions).count == 1 {
            let sign = directions[0] ? "<" : ">"
            if names.count == 1 { return "\(names[0]) \(sign) \(bind(cursor[0]))" }
            return "(\(names.joined(separator: ", "))) \(sign) (\(list(cursor)))"
        }
        var alternatives: [String] = []
        for last in names.indices {
            var parts: [String] = []
            for position in 0..<last { parts.append("\(names[position]) = \(bind(cursor[position]))") }
            parts.append("\(names[last]) \(directions[last] ? "<" : ">") \(bind(cursor[last]))")
            alternatives.append("(\(parts.joined(separator: " AND ")))")
        }
        return alternatives.joined(separator: " OR ").parted
    }
}

extension String {
    fileprivate var parted: String { "(\(self))" }
}
