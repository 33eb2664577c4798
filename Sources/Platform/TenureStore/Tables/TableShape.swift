/// A table without its row type, as engines see it: its columns and keys, and how to decode and take apart a row.
public final class TableShape: Sendable {
    /// A column, including how to get its value from a row.
    public struct Column: Sendable {
        /// The column's name in both engines.
        public let name: String
        /// The type of the column's values.
        public let type: StoredType
        /// Whether the column may contain NULL.
        public let isNullable: Bool
        /// Whether the column holds the fold of a text, which isn't read.
        package let isFold: Bool
        /// Whether the values may name a person or a person's device, so that erasing the person changes them.
        package let namesPerson: Bool
        /// Gets the column's value from a row.
        package let value: @Sendable (StoredRow) -> StoredValue

        // A closure, because only tests need the value.
        private let findUnreadable: @Sendable () -> StoredValue?

        @usableFromInline init(
            name: String, type: StoredType, isNullable: Bool, isFold: Bool = false,
            namesPerson: Bool = false, unreadable: @escaping @Sendable () -> StoredValue?,
            value: @escaping @Sendable (StoredRow) -> StoredValue
        ) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
            self.isFold = isFold
            self.namesPerson = namesPerson
            self.value = value
            findUnreadable = unreadable
        }

        /// A value of the column's type that its Swift type refuses to read; `nil` if it reads all of them.
        public var unreadable: StoredValue? { findUnreadable() }
    }

    /// The table's name in both engines.
    public let name: String
    /// The columns, in the order in which rows are read; at most 64.
    public let columns: [Column]
    /// The indexes of the primary key's columns; empty for a table with a single row.
    public let keyColumns: [Int]
    /// The indexes of the columns that an insert writes: all but the number in an append-only table.
    package let newColumns: [Int]
    /// The table of the counters that number this table's rows; `nil` unless rows are only ever added.
    ///
    /// A counter's key is the beginning of this table's key, and its other column contains the last number that was
    /// assigned.
    package let counter: TableShape?
    /// The columns with the fold of a text (``Field/fold(_:_:)``), as a bit mask.
    package let folds: UInt64
    /// The rows of other tables that this table's rows refer to.
    ///
    /// Those rows are saved and locked first, and deleted last.
    public let foreignKeys: [ForeignKey]
    /// The length of the longest chain of foreign keys that starts at this table; 0 if it refers to no other table.
    public let rank: Int
    /// Whether rows are only ever added, numbered by the engine in the order in which they become visible.
    public var isAppendOnly: Bool { counter != nil }
    /// Whether the rows change only in transactions that run alone (``QueryPlan``), so that others don't need to lock
    /// them.
    public let changesAlone: Bool
    /// How the engines store the rows.
    let layout: TableLayout
    /// The name under which a copy counts and hashes the rows; tables with the same name are reported as one.
    public let part: String

    /// The unique keys other than the primary key.
    public let uniques: [Unique]

    /// The declared indexes, which serve queries by sets; keys have indexes of their own.
    let indexes: [TableIndex]

    /// Columns that name a row of another table by its primary key.
    public struct ForeignKey: Sendable {
        /// The indexes of the columns, in the order of the other table's key.
        public let columns: [Int]
        /// The table that the columns refer to.
        public let table: TableShape
    }

    /// A unique key other than the primary key.
    public struct Unique: Sendable {
        /// The key's name in the error when a row can't be saved because of it.
        public let name: String
        /// The indexes of the key's columns.
        public let columns: [Int]
        /// The number of leading columns whose values practically identify a row; `nil` for all columns.
        public let leading: Int?
        /// The error code to report to the caller when another row has the same values; `nil` if that is a bug.
        public let meaning: String?
    }

    private let read: @Sendable (inout RowCursor) throws -> StoredRow

    /// Declares a table; see ``Table``.
    @usableFromInline init(
        _ name: String, key: [String], columns: [Column], foreignKeys: [TenureStore.ForeignKey],
        uniques: [TenureStore.Unique], indexes: [TableIndex], counter: TableShape?, changesAlone: Bool,
        layout: TableLayout, part: String?, read: @escaping @Sendable (inout RowCursor) throws -> StoredRow
    ) {
        precondition(columns.count <= 64, "\(name) has more than 64 columns")
        func position(of column: String) -> Int {
            guard let position = columns.firstIndex(where: { $0.name == column }) else {
                preconditionFailure("a key of \(name) names the column \(column), which is not declared")
            }
            return position
        }
        let keyColumns = key.map(position(of:))
        self.name = name
        self.columns = columns
        self.keyColumns = keyColumns
        newColumns = columns.indices.filter { position in counter == nil || position != keyColumns.last }
        folds = columns.indices.reduce(0) { mask, position in
            columns[position].isFold ? mask | 1 << UInt64(position) : mask
        }
        self.counter = counter
        self.foreignKeys = foreignKeys.map {
            ForeignKey(columns: $0.columns.map(position(of:)), table: $0.table)
        }
        self.changesAlone = changesAlone
        self.layout = layout
        self.part = part ?? name.replacing("_", with: " ")
        self.uniques = uniques.map {
            Unique(name: $0.name, columns: $0.columns.map(position(of:)), leading: $0.leading, meaning: $0.meaning)
        }
        self.indexes = indexes
        self.read = read
        rank = (foreignKeys.map(\.table.rank).max() ?? -1) + 1
    }

    @usableFromInline var primaryKey: SetShape { SetShape(self, "key", columns: keyColumns, isUnique: true) }

    /// All rows, in key order.
    @usableFromInline var allRows: SetShape { SetShape(self, "all", columns: []) }

    /// Decodes the row at a cursor.
    ///
    /// Throws `.corrupt` if no version of this program could have written it.
    package func row(from cursor: inout RowCursor) throws(StoreError) -> StoredRow {
        let start = cursor
        do throws(StoreError) {
            return try storeErrors { try read(&cursor) }
        } catch {
            throw error.located(at: Int(cursor.column - start.column) - 1, in: self, from: start)
        }
    }

    /// Decodes the row at a cursor, rejects a null in a column that isn't nullable, and notes whether a stored fold
    /// differs from the one that this version computes.
    ///
    /// The engines prevent such nulls themselves, so only copies and checks of a whole store call this.
    package func checkedRow(from cursor: inout RowCursor) throws(StoreError) -> StoredRow {
        var column = cursor
        for (position, declared) in columns.enumerated() {
            if !declared.isNullable, column.isNull {
                throw .unreadable("no value").located(at: position, in: self, from: cursor)
            }
            column.skip()
        }
        let start = cursor
        let row = try row(from: &cursor)
        for position in columns.indices where columns[position].isFold {
            var column = start
            column.column += Int32(position)
            let stored: StoredValue
            do throws(StoreError) {
                stored = column.isNull ? .null : .text(try column.text())
            } catch {
                throw error.located(at: position, in: self, from: start)
            }
            if stored != columns[position].value(row) { row.hasStaleFold = true }
        }
        return row
    }

    /// Gets a column's value from a row.
    package func value(of column: Column, in row: StoredRow) -> StoredValue { column.value(row) }

    /// The values of a row's primary key, one for each of its columns.
    package func keyValues(of row: StoredRow) -> [StoredValue] { keyColumns.map { columns[$0].value(row) } }

    /// The values of a row's primary key.
    package func key(of row: StoredRow) -> StoredValues { values(of: row, at: keyColumns) }

    /// The values of the columns with these indexes.
    package func values(of row: StoredRow, at positions: [Int]) -> StoredValues {
        StoredValues(positions.lazy.map { position in self.columns[position].value(row) })
    }

    /// The columns in which two rows differ, as a bit mask.
    package func difference(between one: StoredRow, and other: StoredRow) -> UInt64 {
        var mask: UInt64 = 0
        for (position, column) in columns.enumerated() where column.value(one) != column.value(other) {
            mask |= 1 << UInt64(position)
        }
        return mask
    }

    /// The index of a column; an undeclared name is a bug in the declaration and stops the program.
    func position(of column: String) -> Int {
        guard let position = columns.firstIndex(where: { $0.name == column }) else {
            preconditionFailure("\(name) declares no column \(column)")
        }
        return position
    }
}

// No lock: a row never changes once its table has read it.
/// A row without its type, as engines pass it on: a single reference, however many columns it has.
public class StoredRow: @unchecked Sendable {
    /// Whether a stored fold differs from the one that this version computes; known only of rows that were read for a
    /// copy or a check.
    package fileprivate(set) var hasStaleFold = false

    @usableFromInline init() {}

    /// The typed row; `nil` if it belongs to another table.
    package func row<Row: Stored>(of table: Row.Type) -> Row? { (self as? TypedRow<Row>)?.row }
}

/// A ``StoredRow`` with the value that it was created from.
@usableFromInline final class TypedRow<Row: Sendable>: StoredRow, @unchecked Sendable {
    @usableFromInline let row: Row

    @inlinable init(_ row: Row) { self.row = row }
}

/// A short list of values that is compared as a whole; up to four values need no array.
package struct StoredValues: Hashable, Sendable, Comparable {
    private var first: StoredValue = .null
    private var second: StoredValue = .null
    private var third: StoredValue = .null
    private var fourth: StoredValue = .null
    private var others: [StoredValue] = []
    /// The number of values.
    package private(set) var count = 0

    package init() {}

    /// Creates a list from values, in their order.
    package init(_ values: some Sequence<StoredValue>) {
        for value in values { append(value) }
    }

    package mutating func append(_ value: StoredValue) {
        switch count {
        case 0: first = value
        case 1: second = value
        case 2: third = value
        case 3: fourth = value
        default: others.append(value)
        }
        count += 1
    }

    package subscript(position: Int) -> StoredValue {
        switch position {
        case 0: first
        case 1: second
        case 2: third
        case 3: fourth
        default: others[position - 4]
        }
    }

    /// Whether one of the values is null, in which case no row equals them.
    package var holdNull: Bool {
        count > 0 && first.isNull || count > 1 && second.isNull || count > 2 && third.isNull
            || count > 3 && fourth.isNull || others.contains(where: \.isNull)
    }

    /// Compares the values, ignoring unused slots.
    package static func == (one: StoredValues, other: StoredValues) -> Bool {
        guard one.count == other.count, one.count < 1 || one.first == other.first else { return false }
        return (one.count < 2 || one.second == other.second) && (one.count < 3 || one.third == other.third)
            && (one.count < 4 || one.fourth == other.fourth) && (one.count < 5 || one.others == other.others)
    }

    /// Hashes the values that `==` compares.
    package func hash(into hasher: inout Hasher) {
        if count > 0 { first.hash(into: &hasher) }
        if count > 1 { second.hash(into: &hasher) }
        if count > 2 { third.hash(into: &hasher) }
        if count > 3 { fourth.hash(into: &hasher) }
        for value in others { value.hash(into: &hasher) }
    }

    /// Compares by the first value that differs, then by length.
    package static func < (one: StoredValues, other: StoredValues) -> Bool {
        for position in 0..<min(one.count, other.count) where one[position] != other[position] {
            return one[position] < other[position]
        }
        return one.count < other.count
    }
}
