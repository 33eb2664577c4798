/// Builds SQL statements for declared tables, in the dialect of one of the two databases.
///
/// The text comes only from declarations in the program. User input is always bound as a parameter.
package enum SQLDialect: Sendable {
    case sqlite
    case postgres

    /// The placeholder of the parameter with this number, counted from 1.
    package func position(_ number: Int) -> String {
        switch self {
        case .sqlite: "?\(number)"
        case .postgres: "$\(number)"
        }
    }

    /// The SQL literal of a declared value, such as a state in a set's condition.
    package func literal(_ value: StoredValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .flag(let flag): self == .postgres ? "\(flag)" : flag ? "1" : "0"
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        case .blob(let bytes): self.bytes(bytes, inPostgres: "\\x")
        case .name(let high, let low):
            bytes([high, low].flatMap { half in (0..<8).map { UInt8(half >> (56 - 8 * $0) & 255) } }, inPostgres: "")
        }
    }

    /// Bytes as hexadecimal digits; PostgreSQL has a prefix for bytes, but none for a UUID.
    private func bytes(_ bytes: [UInt8], inPostgres prefix: String) -> String {
        let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return self == .postgres ? "'\(prefix)\(digits)'" : "X'\(digits)'"
    }

    /// The SQL name of a column type.
    package func name(of type: StoredType) -> String {
        switch (type, self) {
        case (.integer, .sqlite), (.flag, .sqlite): "INTEGER"
        case (.text, .sqlite): "TEXT"
        case (.blob, .sqlite), (.name, .sqlite): "BLOB"
        case (.integer, .postgres): "bigint"
        case (.flag, .postgres): "boolean"
        case (.text, .postgres): "text"
        case (.blob, .postgres): "bytea"
        case (.name, .postgres): "uuid"
        }
    }
}

extension SQLDialect {
    /// The columns of a table, separated by commas.
    package func columns(_ table: TableShape, of alias: String? = nil) -> String {
        table.columns.map { column in (alias.map { "\($0)." } ?? "") + column.name }.joined(separator: ", ")
    }

    /// The condition that a column of a set equals an expression.
    ///
    /// Without statistics, SQLite may start from any indexed column. A unary plus keeps it from using an index on
    /// columns other than the leading ones.
    package func comparison(_ set: SetShape, _ position: Int, with expression: String, of alias: String? = nil)
        -> String
    {
        let leads = set.isUnique || position < set.leading ?? set.columns.count
        let column =
            (self == .sqlite && !leads ? "+" : "") + (alias.map { "\($0)." } ?? "")
            + set.table.columns[set.columns[position]].name
        return "\(column) = \(expression)"
    }

    /// The conditions that every row of a set meets, apart from its compared columns.
    package func conditions(_ set: SetShape, of alias: String? = nil) -> [String] {
        set.conditions.map { condition in
            let column = (alias.map { "\($0)." } ?? "") + set.table.columns[condition.column].name
            return self.condition(column, condition.test)
        }
    }

    /// The condition that a column's value passes a test.
    package func condition(_ column: String, _ test: PlacedCondition.Test) -> String {
        switch test {
        case .isNull: "\(column) IS NULL"
        case .isNotNull: "\(column) IS NOT NULL"
        case .isOneOf(let values) where values.count == 1: "\(column) = \(literal(values[0]))"
        case .isOneOf(let values): "\(column) IN (\(values.map(literal).joined(separator: ", ")))"
        }
    }

    /// The set's `ORDER BY` clause; empty if the set has no order.
    package func order(_ set: SetShape, isBackwards: Bool = false, of alias: String? = nil) -> String {
        let parts = set.sorting.map { column, isDescending in
            (alias.map { "\($0)." } ?? "") + set.table.columns[column].name
                + (isDescending != isBackwards ? " DESC" : "")
        }
        return parts.isEmpty ? "" : " ORDER BY " + parts.joined(separator: ", ")
    }

    /// The statement that selects or counts the rows of a set; bind the values of its columns.
    package func looking(at set: SetShape, _ take: QueryShape.Take) -> String {
        let compared = set.columns.indices.map { comparison(set, $0, with: position($0 + 1)) }
        let filter = compared + conditions(set)
        let from = " FROM \(set.table.name)" + (filter.isEmpty ? "" : " WHERE " + filter.joined(separator: " AND "))
        return switch take {
        case .rows(let limit):
            "SELECT \(columns(set.table))\(from)" + (set.isUnique ? "" : order(set) + " LIMIT \(limit)")
        case .count(let limit): "SELECT count(*) FROM (SELECT 1\(from) LIMIT \(limit)) AS counted"
        }
    }

    package func counting(_ table: TableShape) -> String { "SELECT count(*) FROM \(table.name)" }
}

extension TableShape {
    /// The columns whose bits are set in a mask.
    package func columns(in mask: UInt64) -> [Int] { columns.indices.filter { mask >> UInt64($0) & 1 == 1 } }

    /// The names of columns, separated by commas.
    package func names(_ positions: [Int]) -> String { positions.map { columns[$0].name }.joined(separator: ", ") }

    /// In a table of counters, the index of the column with the last number.
    package var numberColumn: Int { columns.indices.first { !keyColumns.contains($0) } ?? 0 }

    /// The `ON CONFLICT` clause for a row from another store that already exists.
    ///
    /// Rows that never change are left alone; others are overwritten.
    package var onAdoption: String {
        let others = columns.indices.filter { !keyColumns.contains($0) }
        let target = " ON CONFLICT (\(names(keyColumns))) DO "
        if isAppendOnly || others.isEmpty { return target + "NOTHING" }
        let set = others.map { "\(columns[$0].name) = excluded.\(columns[$0].name)" }
        return target + "UPDATE SET " + set.joined(separator: ", ")
    }

    /// In a table of a key and a value, the `ON CONFLICT` clause for a row that exists: it keeps the higher value.
    package var onRaise: String {
        let (key, value) = (columns[0].name, columns[1].name)
        return " ON CONFLICT (\(key)) DO UPDATE SET \(value) = excluded.\(value)"
            + " WHERE \(name).\(value) < excluded.\(value)"
    }
}
