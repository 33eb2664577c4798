package import TenureStore

/// The texts of statements about declared tables, as one of the two databases spells them.
///
/// Texts are made from declarations alone, which are the program's own; what a user wrote travels beside them.
package enum SQLDialect: Sendable {
    case sqlite
    case postgres

    /// The place of a value, counted from 1.
    package func place(_ number: Int) -> String {
        switch self {
        case .sqlite: "?\(number)"
        case .postgres: "$\(number)"
        }
    }

    /// A value of a declaration, such as a state that a set's condition names.
    package func literal(_ value: StoredValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .flag(let flag): self == .postgres ? "\(flag)" : flag ? "1" : "0"
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        case .blob(let bytes): blob(bytes)
        case .name(let high, let low):
            blob([high, low].flatMap { half in (0..<8).map { UInt8(half >> (56 - 8 * $0) & 255) } })
        }
    }

    private func blob(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return self == .postgres ? "'\\x\(digits)'" : "X'\(digits)'"
    }

    /// What a type is called.
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
    /// The columns of a table, parted by commas.
    package func columns(_ table: TableShape, of alias: String? = nil) -> String {
        table.columns.map { column in (alias.map { "\($0)." } ?? "") + column.name }.joined(separator: ", ")
    }

    /// The comparison of a set's column with an expression; a text that is folded is compared in lower case.
    ///
    /// SQLite, which knows nothing of the table, takes any column with an index for a good place to begin: a plus keeps
    /// it to those that lead.
    package func comparison(_ set: SetShape, _ place: Int, with expression: String, of alias: String? = nil) -> String {
        let leads = set.isUnique || place < set.leading ?? set.columns.count
        let column =
            (self == .sqlite && !leads ? "+" : "") + (alias.map { "\($0)." } ?? "")
            + set.table.columns[set.columns[place]].name
        guard set.folded.contains(set.columns[place]) else { return "\(column) = \(expression)" }
        return self == .postgres
            ? "lower(\(column)) = lower(\(expression) COLLATE \"C\")" : "\(column) = \(expression) COLLATE NOCASE"
    }

    /// What holds of every row of a set, whatever its columns are compared with.
    package func conditions(_ set: SetShape, of alias: String? = nil) -> [String] {
        let folded = set.folded.map { "\(set.table.columns[$0].name) IS NOT NULL" }
        return folded
            + set.conditions.map { condition in
                let column = (alias.map { "\($0)." } ?? "") + set.table.columns[condition.column].name
                return switch condition.test {
                case .isNull: "\(column) IS NULL"
                case .isNotNull: "\(column) IS NOT NULL"
                case .isOneOf(let values) where values.count == 1: "\(column) = \(literal(values[0]))"
                case .isOneOf(let values): "\(column) IN (\(values.map(literal).joined(separator: ", ")))"
                }
            }
    }

    /// `ORDER BY` as a set declares it; empty for one without an order.
    package func order(_ set: SetShape, isBackwards: Bool = false, of alias: String? = nil) -> String {
        let parts = set.order.map { column, isDescending in
            (alias.map { "\($0)." } ?? "") + set.table.columns[column].name
                + (isDescending != isBackwards ? " DESC" : "")
        }
        return parts.isEmpty ? "" : " ORDER BY " + parts.joined(separator: ", ")
    }

    /// Reads the rows of a set, or counts them; the values of its columns are bound.
    package func looking(at set: SetShape, _ take: LookShape.Take) -> String {
        let compared = set.columns.indices.map { comparison(set, $0, with: place($0 + 1)) }
        let filter = compared + conditions(set)
        let from = " FROM \(set.table.name)" + (filter.isEmpty ? "" : " WHERE " + filter.joined(separator: " AND "))
        return switch take {
        case .rows(let limit):
            "SELECT \(columns(set.table))\(from)" + (set.isUnique ? "" : order(set) + " LIMIT \(limit)")
        case .count(let limit): "SELECT count(*) FROM (SELECT 1\(from) LIMIT \(limit)) AS counted"
        }
    }

    /// Counts all rows of a table.
    package func counting(_ table: TableShape) -> String { "SELECT count(*) FROM \(table.name)" }
}

extension TableShape {
    /// The columns whose bits are set in a mask.
    package func columns(in mask: UInt64) -> [Int] { columns.indices.filter { mask >> UInt64($0) & 1 == 1 } }

    /// The names of columns, parted by commas.
    package func names(_ places: [Int]) -> String { places.map { columns[$0].name }.joined(separator: ", ") }

    /// What becomes of a row that is adopted and there already: nothing if it is the same one for ever, else all of it.
    package var onAdoption: String {
        let others = columns.indices.filter { !keyColumns.contains($0) }
        let target = " ON CONFLICT (\(names(keyColumns))) DO "
        if isAppendOnly || others.isEmpty { return target + "NOTHING" }
        let set = others.map { "\(columns[$0].name) = excluded.\(columns[$0].name)" }
        return target + "UPDATE SET " + set.joined(separator: ", ")
    }
}
