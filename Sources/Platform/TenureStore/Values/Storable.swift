/// A value that fits in one column.
public protocol Storable: Sendable {
    /// The type of a column that holds such values.
    static var storedType: StoredType { get }

    /// Whether a column of such values may contain NULL, as for an optional type.
    static var isNullable: Bool { get }

    /// The value as engines store it.
    var storedValue: StoredValue { get }

    /// A value of the column's type that this type refuses to read; `nil` if it reads all of them.
    static var unreadable: StoredValue? { get }

    /// Reads the next column of a row.
    ///
    /// Throws `.corrupt` if no version of this program could have written the value.
    init(from cursor: inout RowCursor) throws(StoreError)
}

extension Storable {
    /// `false`, except for optionals.
    @inlinable public static var isNullable: Bool { false }
    /// `nil`, except for codes and validated types.
    public static var unreadable: StoredValue? { nil }
}

extension Optional: Storable where Wrapped: Storable {
    /// The wrapped type's column type.
    @inlinable public static var storedType: StoredType { Wrapped.storedType }
    /// Always `true`.
    @inlinable public static var isNullable: Bool { true }
    /// The value that the wrapped type refuses.
    public static var unreadable: StoredValue? { Wrapped.unreadable }
    /// The wrapped value, or null.
    @inlinable public var storedValue: StoredValue {
        // `map(\.storedValue)` would create a key path for each value, because the compiler doesn't know the type here.
        if let self { self.storedValue } else { .null }
    }

    /// Reads the next column; `nil` if it's null.
    @inlinable public init(from cursor: inout RowCursor) throws(StoreError) {
        if cursor.isNull {
            cursor.skip()
            self = nil
        } else {
            self = try Wrapped(from: &cursor)
        }
    }
}

extension Int64: Storable {
    /// An integer column.
    @inlinable public static var storedType: StoredType { .integer }
    /// The number itself.
    @inlinable public var storedValue: StoredValue { .integer(self) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = cursor.integer() }
}

extension Int: Storable {
    /// An integer column.
    @inlinable public static var storedType: StoredType { .integer }
    /// The number as 64 bits.
    @inlinable public var storedValue: StoredValue { .integer(Int64(self)) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = Int(cursor.integer()) }
}

extension UInt64: Storable {
    /// An integer column.
    @inlinable public static var storedType: StoredType { .integer }
    /// The number's bit pattern, because databases only have signed integers.
    @inlinable public var storedValue: StoredValue { .integer(Int64(bitPattern: self)) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = UInt64(bitPattern: cursor.integer()) }
}

extension String: Storable {
    /// A text column.
    @inlinable public static var storedType: StoredType { .text }
    /// The string itself.
    @inlinable public var storedValue: StoredValue { .text(self) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) throws(StoreError) { self = try cursor.text() }
}

extension [UInt8]: Storable {
    /// A binary column.
    @inlinable public static var storedType: StoredType { .blob }
    /// The bytes themselves.
    @inlinable public var storedValue: StoredValue { .blob(self) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = cursor.bytes() }
}

extension Bool: Storable {
    /// A Boolean column.
    @inlinable public static var storedType: StoredType { .flag }
    /// The flag itself.
    @inlinable public var storedValue: StoredValue { .flag(self) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = cursor.integer() != 0 }
}

/// An enumeration that is stored as its raw text, such as a state.
public protocol StorableCode: Storable, RawRepresentable<String> {}

extension StorableCode {
    /// A text column.
    @inlinable public static var storedType: StoredType { .text }
    /// The raw value.
    @inlinable public var storedValue: StoredValue { .text(rawValue) }
    /// A text that isn't the raw value of a case.
    public static var unreadable: StoredValue? { .text("what?") }

    /// Reads the next column; throws `.corrupt` for an unknown code.
    @inlinable public init(from cursor: inout RowCursor) throws(StoreError) {
        guard let code = Self(rawValue: try cursor.text()) else { throw .unreadable("a code of \(Self.self)") }
        self = code
    }
}

/// A type that is stored as a simpler value and validated when it is read.
public protocol StorableAs: Storable {
    /// The type of the stored value.
    associatedtype Simple: Storable
    /// The value in its stored type, such as an id's number.
    var simple: Simple { get }
    /// Creates a value from the simpler one; `nil` if it's invalid.
    init?(simple: Simple)
}

extension StorableAs {
    /// The simpler type's column type.
    @inlinable public static var storedType: StoredType { Simple.storedType }
    /// The stored form of ``simple``.
    @inlinable public var storedValue: StoredValue { simple.storedValue }
    /// The first of some unusual values from which no value of this type can be created; `nil` if all of them are
    /// valid.
    public static var unreadable: StoredValue? {
        let unusual: [any Storable] = ["what?", "", -1 as Int64, Int64.max, 0 as UInt64, UInt64.max, [0] as [UInt8]]
        return unusual.lazy.compactMap { $0 as? Simple }.first { Self(simple: $0) == nil }?.storedValue
    }

    /// Reads the next column; throws `.corrupt` for an invalid value.
    @inlinable public init(from cursor: inout RowCursor) throws(StoreError) {
        guard let value = Self(simple: try Simple(from: &cursor)) else { throw .unreadable("a value of \(Self.self)") }
        self = value
    }
}
