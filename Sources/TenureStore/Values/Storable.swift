/// What a column can hold: written as one value, read back from a row in the order of the columns.
public protocol Storable: Sendable {
    /// What its column is.
    static var storedType: StoredType { get }

    /// Whether its column may hold nothing.
    static var isNullable: Bool { get }

    /// The value as engines keep it.
    var storedValue: StoredValue { get }

    /// Reads the next column of a row. Throws `.corrupt` for what no version of this program wrote.
    init(from cursor: inout RowCursor) throws(StoreError)
}

extension Storable {
    /// Not, unless it is an optional.
    @inlinable public static var isNullable: Bool { false }
}

extension Optional: Storable where Wrapped: Storable {
    /// The wrapped value's.
    @inlinable public static var storedType: StoredType { Wrapped.storedType }
    /// It may.
    @inlinable public static var isNullable: Bool { true }
    /// The wrapped value, or nothing.
    @inlinable public var storedValue: StoredValue {
        // A key path here would be made anew for each value, for the type is not known when this is compiled.
        if let self { self.storedValue } else { .null }
    }

    /// Reads the next column.
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
    /// A whole number.
    @inlinable public static var storedType: StoredType { .integer }
    /// Itself.
    @inlinable public var storedValue: StoredValue { .integer(self) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = cursor.integer() }
}

extension Int: Storable {
    /// A whole number.
    @inlinable public static var storedType: StoredType { .integer }
    /// Itself.
    @inlinable public var storedValue: StoredValue { .integer(Int64(self)) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = Int(cursor.integer()) }
}

extension UInt64: Storable {
    /// A whole number.
    @inlinable public static var storedType: StoredType { .integer }
    /// Its bit pattern: databases have signed numbers only.
    @inlinable public var storedValue: StoredValue { .integer(Int64(bitPattern: self)) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = UInt64(bitPattern: cursor.integer()) }
}

extension String: Storable {
    /// A text.
    @inlinable public static var storedType: StoredType { .text }
    /// Itself.
    @inlinable public var storedValue: StoredValue { .text(self) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = cursor.text() }
}

extension [UInt8]: Storable {
    /// Bytes.
    @inlinable public static var storedType: StoredType { .blob }
    /// Itself.
    @inlinable public var storedValue: StoredValue { .blob(self) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = cursor.bytes() }
}

extension Bool: Storable {
    /// Yes or no.
    @inlinable public static var storedType: StoredType { .flag }
    /// Itself.
    @inlinable public var storedValue: StoredValue { .flag(self) }
    /// Reads the next column.
    @inlinable public init(from cursor: inout RowCursor) { self = cursor.integer() != 0 }
}

/// Something with a text of its own for each of its values, such as a state.
public protocol StorableCode: Storable, RawRepresentable<String> {}

extension StorableCode {
    /// A text.
    @inlinable public static var storedType: StoredType { .text }
    /// The code.
    @inlinable public var storedValue: StoredValue { .text(rawValue) }

    /// Reads the next column. Throws `.corrupt` for a code that is not one.
    @inlinable public init(from cursor: inout RowCursor) throws(StoreError) {
        guard let code = Self(rawValue: cursor.text()) else { throw .unreadable("a code of \(Self.self)") }
        self = code
    }
}

/// Something that is stored as one simpler value and may refuse it when it is read back.
public protocol StorableAs: Storable {
    /// What it is stored as.
    associatedtype Simple: Storable
    /// The simpler value.
    var simple: Simple { get }
    /// Takes the simpler value; nil for one that is none of its own.
    init?(simple: Simple)
}

extension StorableAs {
    /// The simpler value's.
    @inlinable public static var storedType: StoredType { Simple.storedType }
    /// The simpler value.
    @inlinable public var storedValue: StoredValue { simple.storedValue }

    /// Reads the next column. Throws `.corrupt` for a value that is none of its own.
    @inlinable public init(from cursor: inout RowCursor) throws(StoreError) {
        guard let value = Self(simple: try Simple(from: &cursor)) else { throw .unreadable("a value of \(Self.self)") }
        self = value
    }
}
