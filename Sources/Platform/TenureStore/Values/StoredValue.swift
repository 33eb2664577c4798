/// A value as both engines store it.
///
/// Two texts are equal if their bytes are, as in the databases. Swift's own comparison would also equate different
/// Unicode spellings of a character.
public enum StoredValue: Sendable {
    /// SQL `NULL`; no key or set matches it.
    case null
    /// An integer; an unsigned 64-bit number is stored as its bit pattern.
    case integer(Int64)
    /// UTF-8 text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
    /// A Boolean, which SQLite stores as 0 or 1.
    case flag(Bool)
    /// A sixteen-byte identifier, as its first and second half.
    case name(UInt64, UInt64)

    /// The stored form of a value.
    public static func of(_ value: some Storable) -> StoredValue { value.storedValue }

    /// Whether the value is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// The type of a column's values, in both engines.
public enum StoredType: Sendable, Hashable {
    /// `INTEGER` in SQLite, `bigint` in PostgreSQL.
    case integer
    /// `TEXT` in SQLite, `text` in PostgreSQL.
    case text
    /// `BLOB` in SQLite, `bytea` in PostgreSQL.
    case blob
    /// `INTEGER` 0 or 1 in SQLite, `boolean` in PostgreSQL.
    case flag
    /// `BLOB` of sixteen bytes in SQLite, `uuid` in PostgreSQL.
    case name
}

extension StoredValue: Hashable {
    /// Compares types and contents; texts by their bytes.
    public static func == (one: StoredValue, other: StoredValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let other)): one == other
        case (.text(var one), .text(var other)):
            one.withUTF8 { one in
                other.withUTF8 { other in areEqual(UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other)) }
            }
        case (.blob(let one), .blob(let other)):
            one.withUnsafeBytes { one in other.withUnsafeBytes { other in areEqual(one, other) } }
        case (.flag(let one), .flag(let other)): one == other
        case (.name(let high, let low), .name(let otherHigh, let otherLow)): (high, low) == (otherHigh, otherLow)
        default: false
        }
    }

    /// Compares eight bytes at a time, because each request that changes something compares all values of its queries.
    private static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        var index = 0
        while index + 8 <= one.count {
            let eight = one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard eight == other.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
            index += 8
        }
        return one[index...].elementsEqual(other[index...])
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .integer(let number): hasher.combine(number)
        case .text(var text): text.withUTF8 { bytes in hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
        case .blob(let bytes): bytes.withUnsafeBytes { bytes in hasher.combine(bytes: bytes) }
        case .flag(let flag): hasher.combine(flag)
        case .name(let high, let low):
            hasher.combine(high)
            hasher.combine(low)
        }
    }
}

extension StoredValue: Comparable {
    /// Orders the values of one column as both databases do: numbers by value, texts and bytes by their bytes.
    ///
    /// ``null`` comes first. The engines disagree about that, so no declared order may use a nullable column.
    public static func < (one: StoredValue, other: StoredValue) -> Bool {
        switch (one, other) {
        case (.null, .null): false
        case (.null, _): true
        case (.integer(let one), .integer(let other)): one < other
        case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        case (.blob(let one), .blob(let other)): one.lexicographicallyPrecedes(other)
        case (.flag(let one), .flag(let other)): !one && other
        case (.name(let high, let low), .name(let otherHigh, let otherLow)): (high, low) < (otherHigh, otherLow)
        default: false
        }
    }
}
