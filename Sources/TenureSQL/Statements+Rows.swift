package import TenureStore

extension SQLDialect {
    /// Saves a new row; its new columns are bound in their order.
    package func inserting(_ table: TableShape) -> String {
        inserting(table, table.newColumns)
    }

    /// Saves a row of another store, as it was; all columns are bound. A table of one row has it already.
    package func adopting(_ table: TableShape) -> String {
        let all = Array(table.columns.indices)
        guard !table.keyColumns.isEmpty else { return "UPDATE \(table.name) SET " + assignments(table, all, from: 1) }
        return inserting(table, all) + table.onAdoption
    }

    private func inserting(_ table: TableShape, _ places: [Int]) -> String {
        let values = places.indices.map { place($0 + 1) }.joined(separator: ", ")
        return "INSERT INTO \(table.name) (\(table.names(places))) VALUES (\(values))"
    }

    /// Changes the columns of a mask in one row; the key is bound first, then the columns in their order.
    package func updating(_ table: TableShape, _ mask: UInt64) -> String {
        "UPDATE \(table.name) SET " + assignments(table, table.columns(in: mask), from: table.keyColumns.count + 1)
            + keyed(table)
    }

    /// Removes one row; the key is bound.
    package func deleting(_ table: TableShape) -> String { "DELETE FROM \(table.name)" + keyed(table) }

    /// Raises a column of one row; the key and the value are bound.
    package func raising(_ table: TableShape, _ column: Int) -> String {
        let name = table.columns[column].name
        return "UPDATE \(table.name) SET \(name) = \(place(2))\(keyed(table)) AND \(name) < \(place(2))"
    }

    private func assignments(_ table: TableShape, _ places: [Int], from first: Int) -> String {
        places.enumerated().map { number, column in "\(table.columns[column].name) = \(place(first + number))" }
            .joined(separator: ", ")
    }

    private func keyed(_ table: TableShape) -> String {
        let parts = table.keyColumns.enumerated().map { number, column in
            "\(table.columns[column].name) = \(place(number + 1))"
        }
        return parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
    }
}

/// The text of a listing with what is bound to it; made for the occasion.
package struct ListingStatement {
    /// The text.
    package private(set) var text: String
    /// What is bound to its places, in their order.
    package private(set) var values: [StoredValue] = []

    private let dialect: SQLDialect
    private let listing: ListingShape

    /// Spells a listing.
    package init(_ listing: ListingShape, in dialect: SQLDialect) {
        self.dialect = dialect
        self.listing = listing
        let set = listing.set
        text = ""
        var filter = set.columns.indices.map { dialect.comparison(set, $0, with: bind(listing.values[$0])) }
        filter += dialect.conditions(set)
        // An alternative that asks for nothing lets every row in.
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
        return dialect.place(values.count)
    }

    /// SQLite, which knows nothing of the table, takes any column with an index for a good place to begin: a plus keeps
    /// it to the set's own.
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
        var places: [String] = []
        for value in values { places.append(bind(value)) }
        return places.joined(separator: ", ")
    }

    private mutating func begins(_ name: String, _ text: String) -> String {
        let place = bind(.text(text))
        return dialect == .postgres
            ? "starts_with(\(name), \(place))" : "substr(\(name), 1, length(\(place))) = \(place)"
    }

    /// Behind the last row of the page before, in the set's order.
    private mutating func behind(_ cursor: [StoredValue]) -> String {
        let set = listing.set
        let directions = set.order.map { $0.isDescending != listing.isBackwards }
        let names = set.order.map { set.table.columns[$0.column].name }
        if Set(directions).count == 1 {
            let sign = directions[0] ? "<" : ">"
            if names.count == 1 { return "\(names[0]) \(sign) \(bind(cursor[0]))" }
            return "(\(names.joined(separator: ", "))) \(sign) (\(list(cursor)))"
        }
        var alternatives: [String] = []
        for last in names.indices {
            var parts: [String] = []
            for place in 0..<last { parts.append("\(names[place]) = \(bind(cursor[place]))") }
            parts.append("\(names[last]) \(directions[last] ? "<" : ">") \(bind(cursor[last]))")
            alternatives.append("(\(parts.joined(separator: " AND ")))")
        }
        return alternatives.joined(separator: " OR ").parted
    }
}

extension String {
    fileprivate var parted: String { "(\(self))" }
}
