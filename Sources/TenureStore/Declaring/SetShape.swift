/// What engines know of a key or a set. Keys are sets of at most one row.
public final class SetShape: Sendable {
    /// Whose rows.
    public let table: TableShape
    /// Its name in the table; a key's is told when a row cannot be saved because of it.
    public let name: String
    /// The places of the columns that are compared.
    public let columns: [Int]
    /// What else holds of each row.
    public let conditions: [PlacedCondition]
    /// The order of the rows, ended by the key so that it is total.
    public let order: [(column: Int, isDescending: Bool)]
    /// Whether there is at most one row.
    public let isUnique: Bool
    /// The places of the columns whose texts are compared without regard to ASCII case.
    public let folded: [Int]
    /// How many columns alone are good enough to find the rows by, so that the others choose no index; nil for all.
    public let leading: Int?

    init(
        _ table: TableShape, _ name: String, columns: [Int], conditions: [PlacedCondition] = [],
        order: [(Int, Bool)]? = nil, isUnique: Bool = false, folded: [Int] = [], leading: Int? = nil
    ) {
        self.table = table
        self.name = name
        self.columns = columns
        self.conditions = conditions
        self.order = (order ?? table.keyColumns.map { ($0, false) }).map { (column: $0.0, isDescending: $0.1) }
        self.isUnique = isUnique
        self.folded = folded
        self.leading = leading
    }

    /// Names it among all sets of all tables.
    package var fullName: String { "\(table.name).\(name)" }

    /// The values that a row is found by; nil when it does not belong to any such set.
    package func values(of row: StoredRow) -> StoredValues? {
        for condition in conditions where !condition.holds(of: row, in: table) { return nil }
        let values = StoredValues(
            columns.lazy.map { place in
                let value = self.table.columns[place].value(row)
                return self.folded.contains(place) ? value.folded : value
            })
        return values.holdNull ? nil : values
    }

    /// The values that a question is about, compared as this set compares.
    package func normal(_ values: StoredValues) -> StoredValues {
        folded.isEmpty
            ? values
            : StoredValues((0..<values.count).map { folded.contains(columns[$0]) ? values[$0].folded : values[$0] })
    }

    /// Whether one row of it comes before another.
    package func precedes(_ one: StoredRow, _ other: StoredRow) -> Bool {
        for (column, isDescending) in order {
            let (left, right) = (table.columns[column].value(one), table.columns[column].value(other))
            if left != right { return (left < right) != isDescending }
        }
        return false
    }
}

/// What holds of a row, as data: both engines and the memory understand the same. No condition names a clock.
public struct Condition: Sendable {
    let column: String
    let test: PlacedCondition.Test

    /// The column holds nothing.
    public static func isNull(_ column: String) -> Condition { Condition(column: column, test: .isNull) }
    /// The column holds something.
    public static func isNotNull(_ column: String) -> Condition { Condition(column: column, test: .isNotNull) }
    /// The column holds this value.
    public static func equals(_ column: String, _ value: some Storable) -> Condition {
        Condition(column: column, test: .isOneOf([value.storedValue]))
    }
    /// The column holds one of these values.
    public static func isOneOf(_ column: String, _ values: [some Storable]) -> Condition {
        Condition(column: column, test: .isOneOf(values.map(\.storedValue)))
    }

    func placed(in table: TableShape) -> PlacedCondition {
        PlacedCondition(column: table.place(of: column), test: test)
    }
}

/// A condition with the place of its column.
public struct PlacedCondition: Sendable {
    /// What is tested.
    public enum Test: Sendable, Hashable {
        /// It holds nothing.
        case isNull
        /// It holds something.
        case isNotNull
        /// It holds one of these values.
        case isOneOf([StoredValue])
    }

    /// The place of the column.
    public let column: Int
    /// What is tested.
    public let test: Test

    func holds(of row: StoredRow, in table: TableShape) -> Bool {
        let value = table.columns[column].value(row)
        return switch test {
        case .isNull: value.isNull
        case .isNotNull: !value.isNull
        case .isOneOf(let values): values.contains(value)
        }
    }
}
