/// Columns of a table that name a row of another one.
public struct ForeignKey: Sendable {
    let columns: [String]
    let table: TableShape

    /// Declares which columns hold the other table's primary key, by default those with the same names.
    public init<Row: Stored>(_ columns: String..., to row: Row.Type) {
        table = Row.table.shape
        self.columns = columns.isEmpty ? table.keyColumns.map { [table] in table.columns[$0].name } : columns
    }
}

/// An index of a table for one or more of its sets.
public struct TableIndex: Sendable {
    let name: String
    let columns: [String]
    let conditions: [Condition]

    /// Declares an index.
    ///
    /// A partial index covers a query in SQLite only if it includes the columns of its own conditions.
    ///
    /// - Parameters:
    ///   - name: The index's name without the table's, such as `by_holder`.
    ///   - conditions: The conditions that the rows in the index meet; none for all rows.
    public init(_ name: String, _ columns: String..., where conditions: Condition...) {
        self.name = name
        self.columns = columns
        self.conditions = conditions
    }
}

/// How the engines store a table's rows.
public enum TableLayout: Sendable {
    /// SQLite stores the rows in the order of the primary key.
    case standard
    /// SQLite stores the rows apart from the primary key, because a row may have kilobytes.
    case largeRows
    /// PostgreSQL leaves free space in each page, so that a row that often changes stays in its page.
    case frequentUpdates
}
