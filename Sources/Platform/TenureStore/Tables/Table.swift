import TenureCore

/// A table, declared once for both engines; loading, saving, copying and the schema check follow from it.
///
/// ```swift
/// extension Trial: Stored {
///     static let table = Table<Trial>(
///         "trials", key: ["tenant", "product", "device"],
///         [
///             Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
///             Field("device") { $0.device }, Field("started_at") { $0.start },
///             Field("recorded_at") { $0.recordedAt },
///         ]
///     ) { row in
///         Trial(
///             product: ProductRef(tenant: try row.next(), product: try row.next()), device: try row.next(),
///             start: try row.next(), recordedAt: try row.next())
///     }
/// }
/// ```
public struct Table<Row: Sendable>: Sendable {
    /// The untyped table that engines use.
    public let shape: TableShape

    /// The primary key, by which a query finds at most one row.
    public let key: Key<Row>

    /// All rows, in key order.
    public let all: RowSet<Row>

    /// Declares a table.
    /// - Parameters:
    ///   - key: The columns of the primary key; empty for a table with a single row, which starts with zeros.
    ///   - fields: The columns, in the order in which `read` reads them.
    ///   - foreignKeys: The rows of other tables that its rows refer to.
    ///   - uniques: The unique keys other than the primary key; each has an index.
    ///   - indexes: The indexes of sets; keys have indexes of their own.
    ///   - counter: For a table whose rows are only added: the table of its counters. The engine numbers the rows from
    ///     1, without holes and in the order in which they become visible, separately for each counter. The key is the
    ///     counters' key, then the number.
    ///   - changesAlone: Whether rows change only in transactions that run alone.
    ///   - layout: How the engines store the rows.
    ///   - part: The name under which a copy counts and hashes the rows; by default the table's name with spaces.
    ///   - read: Decodes a row from its columns. Throws `.corrupt` if no version of this program could have written it.
    @inlinable public init(
        _ name: String, key: [String], _ fields: [Field<Row>], foreignKeys: [ForeignKey] = [],
        uniques: [Unique] = [], indexes: [TableIndex] = [],
        counter: TableShape? = nil, changesAlone: Bool = false, layout: TableLayout = .standard, part: String? = nil,
        read: @escaping @Sendable (inout RowCursor) throws -> Row
    ) {
        // Everything that depends on `Row` is created here, where the compiler knows the type. Otherwise, type look-ups
        // at run time would take a tenth of a command's start.
        shape = TableShape(
            name, key: key, columns: fields.map { $0.column }, foreignKeys: foreignKeys, uniques: uniques,
            indexes: indexes, counter: counter, changesAlone: changesAlone, layout: layout, part: part,
            read: { cursor in TypedRow(try read(&cursor)) })
        self.key = Key(shape: shape.primaryKey)
        all = RowSet(shape: shape.allRows)
    }

    /// The key that was declared as unique under this name.
    public func unique(_ name: String) -> Key<Row> {
        guard let unique = shape.uniques.first(where: { $0.name == name }) else {
            preconditionFailure("\(shape.name) declares no key \(name)")
        }
        return Key(
            shape: SetShape(shape, name, columns: unique.columns, isUnique: true, leading: unique.leading))
    }

    /// Declares a set: the rows with equal values in some columns that meet the conditions, in an order.
    /// - Parameters:
    ///   - columns: The columns to compare; none for all rows.
    ///   - conditions: The conditions that every row meets.
    ///   - order: The order of the rows, by default the key's. Nullable columns can't be part of it.
    ///   - leading: The number of columns by which the database must search, so that it doesn't choose an index by the
    ///     other columns; `nil` for all.
    public func set(
        _ name: String, _ columns: String..., where conditions: Condition..., order: [SetOrder] = [],
        leading: Int? = nil
    ) -> RowSet<Row> {
        let ordered = order.map { (shape.position(of: $0.column), $0.isDescending) }
        let rest = shape.keyColumns.filter { position in !ordered.contains { $0.0 == position } }
        return RowSet(
            shape: SetShape(
                shape, name, columns: columns.map(shape.position(of:)),
                conditions: conditions.map { $0.placed(in: shape) },
                order: ordered + rest.map { ($0, ordered.last?.1 ?? false) }, leading: leading))
    }
}

/// A unique key other than the primary key.
public struct Unique: Sendable {
    let name: String
    let columns: [String]
    let leading: Int?
    let meaning: String?

    /// Declares a unique key.
    /// - Parameters:
    ///   - name: The key's name in the error when a row can't be saved because of it, such as `by_key`.
    ///   - leading: The number of leading columns whose values practically identify a row. A database without
    ///     statistics then searches by those; `nil` for all columns.
    ///   - meaning: The error code to report to the caller when another row has the same values; `nil` if that is a
    ///     bug.
    public init(_ name: String, _ columns: String..., leading: Int? = nil, meaning: String? = nil) {
        self.name = name
        self.columns = columns
        self.leading = leading
        self.meaning = meaning
    }
}

/// A column of a table: its name, and a function that returns its value from a row. The value's type determines the
/// column's type.
public struct Field<Row: Sendable>: Sendable {
    @usableFromInline let column: TableShape.Column

    /// Declares a column with a function that returns its value from a row.
    /// - Parameter namesPerson: Whether the values may name a person or a person's device.
    @inlinable public init<Value: Storable>(
        _ name: String, namesPerson: Bool = false, _ value: @escaping @Sendable (Row) -> Value
    ) {
        column = TableShape.Column(
            name: name, type: Value.storedType, isNullable: Value.isNullable, namesPerson: namesPerson,
            unreadable: { Value.unreadable }
        ) { row in
            value(unsafeDowncast(row, to: TypedRow<Row>.self).row).storedValue
        }
    }

    /// Declares a column with the fold of a text, by which look-ups find the row.
    ///
    /// It follows from the text, so it isn't read; declare it after all columns that are read.
    public static func fold(
        _ name: String, namesPerson: Bool = false, _ text: @escaping @Sendable (Row) -> String?
    ) -> Field {
        Field(fold: name, namesPerson, text)
    }

    private init(fold name: String, _ namesPerson: Bool, _ text: @escaping @Sendable (Row) -> String?) {
        column = TableShape.Column(
            name: name, type: .text, isNullable: true, isFold: true, namesPerson: namesPerson, unreadable: { nil }
        ) { row in
            text(unsafeDowncast(row, to: TypedRow<Row>.self).row).map { .text(FoldedText($0).text) } ?? .null
        }
    }
}

/// A type whose values are stored as rows of a table.
public protocol Stored: Sendable {
    /// The table that holds the rows.
    static var table: Table<Self> { get }
}

extension Stored {
    /// The values of the row's key, in key order.
    public var keyValues: [StoredValue] {
        let table = Self.table.shape
        let row = TypedRow(self)
        return table.keyColumns.map { table.columns[$0].value(row) }
    }

    /// The row without its type, as engines pass it on.
    package var stored: StoredRow { TypedRow(self) }
}

/// A key that finds at most one row.
public struct Key<Row: Sendable>: Sendable {
    /// The untyped key that engines use.
    public let shape: SetShape

    @usableFromInline init(shape: SetShape) { self.shape = shape }
}

/// The rows with equal values in some columns that meet the set's conditions.
public struct RowSet<Row: Sendable>: Sendable {
    /// The untyped set that engines use.
    public let shape: SetShape

    @usableFromInline init(shape: SetShape) { self.shape = shape }
}

/// One column of a set's order.
public struct SetOrder: Sendable {
    let column: String
    let isDescending: Bool

    /// Ascending.
    public static func up(_ column: String) -> SetOrder { SetOrder(column: column, isDescending: false) }
    /// Descending.
    public static func down(_ column: String) -> SetOrder { SetOrder(column: column, isDescending: true) }
}
