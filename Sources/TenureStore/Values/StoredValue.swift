/// A value as both engines keep it: what a field gives, what a key is compared with.
///
/// Texts are equal when their bytes are, as in the databases: Swift's own comparison takes two spellings of one
/// character for the same.
public enum StoredValue: Sendable {
    /// Nothing; equal to nothing when a key or set is compared with it.
    case null
    /// A whole number; one of 64 bits without a sign by its bit pattern.
    case integer(Int64)
    /// A text in UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])
    /// Yes or no.
    case flag(Bool)
    /// The sixteen bytes of a name, first half and second half.
    case name(UInt64, UInt64)

    /// The value of anything that can be stored.
    public static func of(_ value: some Storable) -> StoredValue { value.storedValue }

    /// Whether it is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// What the values of a column are, in both engines.
public enum StoredType: Sendable, Hashable {
    /// `INTEGER`, `bigint`.
    case integer
    /// `TEXT`, `text`.
    case text
    /// `BLOB`, `bytea`.
    case blob
    /// `INTEGER` 0 or 1, `boolean`.
    case flag
    /// `BLOB` of sixteen bytes, `uuid`.
    case name
}

extension StoredValue: Hashable {
    /// Compares kinds and contents; texts by their bytes.
    public static func == (one: StoredValue, other: StoredValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let other)): one == other
        case (.text(var one), .text(var other)):
            one.withUTF8 { one in other.withUTF8 { other in one.count == other.count && one.elementsEqual(other) } }
        case (.blob(let one), .blob(let other)): one == other
        case (.flag(let one), .flag(let other)): one == other
        case (.name(let high, let low), .name(let otherHigh, let otherLow)): (high, low) == (otherHigh, otherLow)
        default: false
        }
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
    /// Orders values of one column as both databases do: numbers by value, texts and bytes by their bytes.
    ///
    /// ``null`` comes first; the engines disagree about it, so no declared order has a column that may be null.
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

    /// The text with its ASCII letters in lower case; other values as they are.
    package var folded: StoredValue {
        guard case .text(let text) = self else { return self }
        let bytes = text.utf8.map { byte in (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}
