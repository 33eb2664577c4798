/// A key or set without its row type, as engines see it; a key is a set of at most one row.
public final class SetShape: Sendable {
    /// The table that the set's rows belong to.
    public let table: TableShape
    /// The set's name within its table. A key's name is reported if another row has the same values.
    public let name: String
    /// The indexes of the columns that are compared.
    public let columns: [Int]
    /// The conditions that every row meets.
    public let conditions: [PlacedCondition]
    /// The order of the rows; it ends with the key, so that it's total.
    public let order: [(column: Int, isDescending: Bool)]
    /// Whether the values of ``columns`` determine at most one row.
    public let isUnique: Bool
    /// The number of leading columns by which the database must search, so that it doesn't choose an index by the other
    /// columns; `nil` for all columns.
    public let leading: Int?

    init(
        _ table: TableShape, _ name: String, columns: [Int], conditions: [PlacedCondition] = [],
        order: [(Int, Bool)]? = nil, isUnique: Bool = false, leading: Int? = nil
    ) {
        self.table = table
        self.name = name
        self.columns = columns
        self.conditions = conditions
        self.order = (order ?? table.keyColumns.map { ($0, false) }).map { (column: $0.0, isDescending: $0.1) }
        self.isUnique = isUnique
        self.leading = leading
    }

    /// The columns of the order in which the set's rows differ.
    package var sorting: [(column: Int, isDescending: Bool)] {
        order.filter { !columns.contains($0.column) }
    }

    /// The set's name, unique among the sets of all tables.
    package var fullName: String { "\(table.name).\(name)" }

    /// The values by which this set finds a row; `nil` if the row isn't in the set.
    package func values(of row: StoredRow) -> StoredValues? {
        for condition in conditions where !condition.holds(of: row, in: table) { return nil }
        let values = StoredValues(columns.lazy.map { position in self.table.columns[position].value(row) })
        return values.holdNull ? nil : values
    }

    /// Whether one row comes before another in the set's order.
    package func precedes(_ one: StoredRow, _ other: StoredRow) -> Bool {
        for (column, isDescending) in order {
            let (left, right) = (table.columns[column].value(one), table.columns[column].value(other))
            if left != right { return (left < right) != isDescending }
        }
        return false
    }
}

/// A condition on a row, as data that SQL and the in-memory evaluation interpret alike; it never depends on a clock.
public struct Condition: Sendable {
    /// The column's name.
    package let column: String
    /// The test of the column's value.
    package let test: PlacedCondition.Test

    /// The column is null.
    public static func isNull(_ column: String) -> Condition { Condition(column: column, test: .isNull) }
    /// The column isn't null.
    public static func isNotNull(_ column: String) -> Condition { Condition(column: column, test: .isNotNull) }
    /// The column equals this value.
    public static func equals(_ column: String, _ value: some Storable) -> Condition {
        Condition(column: column, test: .isOneOf([value.storedValue]))
    }
    /// The column equals one of these values.
    public static func isOneOf(_ column: String, _ values: [some Storable]) -> Condition {
        Condition(column: column, test: .isOneOf(values.map(\.storedValue)))
    }

    func placed(in table: TableShape) -> PlacedCondition {
        PlacedCondition(column: table.position(of: column), test: test)
    }
}

/// A condition with its column's index.
public struct PlacedCondition: Sendable {
    /// A test of a column's value.
    public enum Test: Sendable, Hashable {
        /// The value is null.
        case isNull
        /// The value isn't null.
        case isNotNull
        /// The value is one of these.
        case isOneOf([StoredValue])
    }

    /// The column's index.
    public let column: Int
    /// The test of the column's value.
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
