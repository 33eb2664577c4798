/// A table, declared once: from this follow loading, saving, copying and the check of the schema, on both engines.
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
///     ) { row throws(StoreError) in
///         Trial(
///             product: ProductRef(tenant: try row.next(), product: try row.next()), device: try row.next(),
///             start: try row.next(), recordedAt: try row.next())
///     }
/// }
/// ```
public struct Table<Row: Sendable>: Sendable {
    /// What engines see of it.
    public let shape: TableShape

    /// The key that names a row.
    public let key: Key<Row>

    /// All rows, in the order of the key.
    public let all: RowSet<Row>

    /// Declares a table.
    /// - Parameters:
    ///   - key: The columns that name a row; none for a table of one row.
    ///   - fields: The columns, in the order in which `read` takes them.
    ///   - parents: The tables that its rows name.
    ///   - isAppendOnly: Rows are only added, and the engine numbers them: the key is that number.
    ///   - changesAlone: Rows change only in changes that are alone.
    ///   - uniques: The keys that find at most one row beside the one that names it.
    ///   - part: What a copy calls the rows; by default the table's name with spaces.
    ///   - read: Makes a row from its columns. Throws `.corrupt` for what no version of this program wrote.
    @inlinable public init(
        _ name: String, key: [String], _ fields: [Field<Row>], parents: [TableShape] = [],
        uniques: [Unique] = [],
        isAppendOnly: Bool = false, changesAlone: Bool = false, part: String? = nil,
        read: @escaping @Sendable (inout RowCursor) throws(StoreError) -> Row
    ) {
        self.init(
            name, key, fields, parents, uniques, isAppendOnly, changesAlone, part,
            values: fields.map { field in
                { row in field.value(unsafeDowncast(row, to: TypedRow<Row>.self).row) }
            },
            read: { cursor throws(StoreError) in TypedRow(try read(&cursor)) })
    }

    /// What knows the row's type is made above, where the type is known, so that the compiler can specialise it.
    @usableFromInline init(
        _ name: String, _ key: [String], _ fields: [Field<Row>], _ parents: [TableShape], _ uniques: [Unique],
        _ isAppendOnly: Bool, _ changesAlone: Bool, _ part: String?,
        values: [@Sendable (StoredRow) -> StoredValue],
        read: @escaping @Sendable (inout RowCursor) throws(StoreError) -> StoredRow
    ) {
        precondition(fields.count <= 64, "\(name) has more than 64 columns")
        let columns = zip(fields, values).map { field, value in
            TableShape.Column(name: field.name, type: field.type, isNullable: field.isNullable, value: value)
        }
        func place(of column: String) -> Int {
            guard let place = columns.firstIndex(where: { $0.name == column }) else {
                preconditionFailure("a key of \(name) names the column \(column), which is not declared")
            }
            return place
        }
        let places = key.map(place(of:))
        shape = TableShape(
            name: name, columns: columns, keyColumns: places, parents: parents, isAppendOnly: isAppendOnly,
            changesAlone: changesAlone, part: part ?? name.replacing("_", with: " "),
            uniques: uniques.map {
                TableShape.Unique(
                    name: $0.name, columns: $0.columns.map(place(of:)), leading: $0.leading, meaning: $0.meaning)
            },
            read: read)
        self.key = Key(shape: SetShape(shape, "key", columns: places, isUnique: true))
        all = RowSet(shape: SetShape(shape, "all", columns: []))
    }

    /// One of the keys that were declared beside the one that names a row.
    public func unique(_ name: String) -> Key<Row> {
        guard let unique = shape.uniques.first(where: { $0.name == name }) else {
            preconditionFailure("\(shape.name) declares no key \(name)")
        }
        return Key(
            shape: SetShape(shape, name, columns: unique.columns, isUnique: true, leading: unique.leading))
    }

    /// A set: the rows with equal values in some columns that meet a condition, in an order.
    /// - Parameters:
    ///   - columns: What is compared; none for all rows.
    ///   - conditions: What else holds of each row.
    ///   - order: By default the key's; columns that may be null have no place in it.
    ///   - folded: The columns whose texts are compared without regard to ASCII case.
    ///   - leading: With how many of the columns an index begins that is good enough, so that the others choose none; nil
    ///     for all.
    public func set(
        _ name: String, _ columns: String..., where conditions: Condition..., order: [SetOrder] = [],
        folded: [String] = [], leading: Int? = nil
    ) -> RowSet<Row> {
        let ordered = order.map { (shape.place(of: $0.column), $0.isDescending) }
        let rest = shape.keyColumns.filter { place in !ordered.contains { $0.0 == place } }
        return RowSet(
            shape: SetShape(
                shape, name, columns: columns.map(shape.place(of:)),
                conditions: conditions.map { $0.placed(in: shape) },
                order: ordered + rest.map { ($0, ordered.last?.1 ?? false) }, folded: folded.map(shape.place(of:)),
                leading: leading))
    }
}

/// A key that finds at most one row, beside the one that names it.
public struct Unique: Sendable {
    let name: String
    let columns: [String]
    let leading: Int?
    let meaning: String?

    /// Declares a key.
    /// - Parameters:
    ///   - name: What it is called when a row cannot be saved because of it, such as `by_key`.
    ///   - leading: How many of its columns alone are as good as unique, so that a database which knows nothing of the
    ///     table yet looks by those; nil for all.
    ///   - meaning: The code of what it means to whoever asked that another row has the values; nil for a fault of the
    ///     program.
    public init(_ name: String, _ columns: String..., leading: Int? = nil, meaning: String? = nil) {
        self.name = name
        self.columns = columns
        self.leading = leading
        self.meaning = meaning
    }
}

/// A column of a table: its name and the way to its value; its type follows from the value's.
public struct Field<Row: Sendable>: Sendable {
    @usableFromInline let name: String
    @usableFromInline let type: StoredType
    @usableFromInline let isNullable: Bool
    @usableFromInline let value: @Sendable (Row) -> StoredValue

    /// Names a column and says where its value is.
    @inlinable public init<Value: Storable>(_ name: String, _ value: @escaping @Sendable (Row) -> Value) {
        self.name = name
        type = Value.storedType
        isNullable = Value.isNullable
        self.value = { row in value(row).storedValue }
    }
}

/// A row that knows its table.
public protocol Stored: Sendable {
    /// Where such rows are kept.
    static var table: Table<Self> { get }
}

extension Stored {
    /// The values that name the row, in the order of the key.
    public var keyValues: [StoredValue] {
        let table = Self.table.shape
        let row = TypedRow(self)
        return table.keyColumns.map { table.columns[$0].value(row) }
    }

    /// The row as engines pass it on.
    package var stored: StoredRow { TypedRow(self) }
}

/// Finds at most one row.
public struct Key<Row: Sendable>: Sendable {
    /// What engines see of it.
    public let shape: SetShape
}

/// The rows with equal values in some columns that meet a condition.
public struct RowSet<Row: Sendable>: Sendable {
    /// What engines see of it.
    public let shape: SetShape
}

/// A place in the order of a set.
public struct SetOrder: Sendable {
    let column: String
    let isDescending: Bool

    /// Smallest first.
    public static func up(_ column: String) -> SetOrder { SetOrder(column: column, isDescending: false) }
    /// Largest first.
    public static func down(_ column: String) -> SetOrder { SetOrder(column: column, isDescending: true) }
}
