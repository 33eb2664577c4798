/// What engines know of a table: its columns, its key and how a row of it is made and taken apart. Never a Swift type.
public final class TableShape: Sendable {
    /// A column.
    public struct Column: Sendable {
        /// Its name, in both engines.
        public let name: String
        /// What its values are.
        public let type: StoredType
        /// Whether it may hold nothing.
        public let isNullable: Bool
        /// Its value in a row.
        package let value: @Sendable (StoredRow) -> StoredValue
    }

    /// Its name, in both engines.
    public let name: String
    /// Its columns, in the order in which rows are read; at most 64.
    public let columns: [Column]
    /// The places of the columns that name a row; none in a table of one row.
    public let keyColumns: [Int]
    /// The columns that a new row brings: all of them, but for the number of a table that only grows.
    package let newColumns: [Int]
    /// The tables that its rows name: theirs are saved first and locked first, and removed last.
    public let parents: [TableShape]
    /// How far from tables without parents it stands.
    public let rank: Int
    /// Whether rows are only ever added, numbered by the engine in the order in which they become visible.
    public let isAppendOnly: Bool
    /// Whether its rows change only in changes that are alone (``LoadForm``), so that nobody else needs to lock them.
    public let changesAlone: Bool
    /// What a copy calls the rows; tables of one part are told as one.
    public let part: String

    /// The keys beside the one that names a row.
    public let uniques: [Unique]

    /// A key that finds at most one row, beside the one that names it.
    public struct Unique: Sendable {
        /// What it is called when a row cannot be saved because of it.
        public let name: String
        /// The places of its columns.
        public let columns: [Int]
        /// How many of its columns alone are as good as unique; nil for all of them.
        public let leading: Int?
        /// The code of what it means to whoever asked that another row has the values; nil for a fault of the program.
        public let meaning: String?
    }

    let read: @Sendable (inout RowCursor) throws(StoreError) -> StoredRow

    init(
        name: String, columns: [Column], keyColumns: [Int], parents: [TableShape], isAppendOnly: Bool,
        changesAlone: Bool, part: String, uniques: [Unique],
        read: @escaping @Sendable (inout RowCursor) throws(StoreError) -> StoredRow
    ) {
        self.name = name
        self.columns = columns
        self.keyColumns = keyColumns
        newColumns = columns.indices.filter { place in !isAppendOnly || !keyColumns.contains(place) }
        self.parents = parents
        self.isAppendOnly = isAppendOnly
        self.changesAlone = changesAlone
        self.part = part
        self.uniques = uniques
        self.read = read
        rank = (parents.map(\.rank).max() ?? -1) + 1
    }

    /// Reads the row that a cursor stands before. Throws `.corrupt` for what no version of this program wrote.
    package func row(from cursor: inout RowCursor) throws(StoreError) -> StoredRow { try read(&cursor) }

    /// A column's value in a row.
    package func value(of column: Column, in row: StoredRow) -> StoredValue { column.value(row) }

    /// What names a row.
    package func key(of row: StoredRow) -> StoredValues { values(of: row, at: keyColumns) }

    /// The values of some columns.
    package func values(of row: StoredRow, at places: [Int]) -> StoredValues {
        StoredValues(places.lazy.map { place in self.columns[place].value(row) })
    }

    /// The columns in which two rows differ, a bit for each.
    package func difference(between one: StoredRow, and other: StoredRow) -> UInt64 {
        var mask: UInt64 = 0
        for (place, column) in columns.enumerated() where column.value(one) != column.value(other) {
            mask |= 1 << UInt64(place)
        }
        return mask
    }

    /// The place of a column; a name that is none is a fault of the declaration.
    func place(of column: String) -> Int {
        guard let place = columns.firstIndex(where: { $0.name == column }) else {
            preconditionFailure("\(name) declares no column \(column)")
        }
        return place
    }
}

// No lock: nothing in it changes after it was made.
/// A row as engines pass it on: one cell, whatever its columns.
public class StoredRow: @unchecked Sendable {
    @inlinable init() {}

    /// The row, if it is one of this table.
    package func row<Row: Stored>(of table: Row.Type) -> Row? { (self as? TypedRow<Row>)?.row }
}

/// A row with its type.
@usableFromInline final class TypedRow<Row: Sendable>: StoredRow, @unchecked Sendable {
    @usableFromInline let row: Row

    @inlinable init(_ row: Row) { self.row = row }
}

/// A few values to look by, compared whole: up to four of them without an array.
package struct StoredValues: Hashable, Sendable, Comparable {
    private var first: StoredValue = .null
    private var second: StoredValue = .null
    private var third: StoredValue = .null
    private var fourth: StoredValue = .null
    private var others: [StoredValue] = []
    /// How many there are.
    package private(set) var count = 0

    /// None yet.
    package init() {}

    /// Takes them in their order.
    package init(_ values: some Sequence<StoredValue>) {
        for value in values { append(value) }
    }

    /// Adds one at the end.
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

    /// The value at a place.
    package subscript(place: Int) -> StoredValue {
        switch place {
        case 0: first
        case 1: second
        case 2: third
        case 3: fourth
        default: others[place - 4]
        }
    }

    /// Whether one of them is null: then nothing equals them.
    package var holdNull: Bool {
        count > 0 && first.isNull || count > 1 && second.isNull || count > 2 && third.isNull
            || count > 3 && fourth.isNull || others.contains(where: \.isNull)
    }

    /// Compares only as many as there are.
    package static func == (one: StoredValues, other: StoredValues) -> Bool {
        guard one.count == other.count, one.count < 1 || one.first == other.first else { return false }
        return (one.count < 2 || one.second == other.second) && (one.count < 3 || one.third == other.third)
            && (one.count < 4 || one.fourth == other.fourth) && (one.count < 5 || one.others == other.others)
    }

    /// Hashes what `==` compares.
    package func hash(into hasher: inout Hasher) {
        if count > 0 { first.hash(into: &hasher) }
        if count > 1 { second.hash(into: &hasher) }
        if count > 2 { third.hash(into: &hasher) }
        if count > 3 { fourth.hash(into: &hasher) }
        for value in others { value.hash(into: &hasher) }
    }

    /// Orders by the first value that differs.
    package static func < (one: StoredValues, other: StoredValues) -> Bool {
        for place in 0..<min(one.count, other.count) where one[place] != other[place] {
            return one[place] < other[place]
        }
        return one.count < other.count
    }
}
