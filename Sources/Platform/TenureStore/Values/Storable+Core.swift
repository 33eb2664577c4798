public import TenureCore

// How columns hold the identifiers, numbers and timestamps of TenureCore.

extension Timestamp: StorableAs {
    /// POSIX seconds.
    public var simple: Int64 { seconds }
    /// Creates a timestamp from POSIX seconds.
    public init?(simple: Int64) { self.init(seconds: simple) }
}

extension Digest: StorableAs {
    /// The digest's bytes.
    public var simple: [UInt8] { bytes }
    /// Returns `nil` unless there are exactly 32 bytes.
    public init?(simple: [UInt8]) { self.init(simple) }
}

extension FoldedText: StorableAs {
    /// The folded text.
    public var simple: String { text }
    /// Creates a value from a stored fold without folding it again, because an earlier version may have folded
    /// otherwise.
    public init?(simple: String) { self.init(folded: simple) }
}

extension TermLength: StorableAs {
    /// The length's text, such as `P1Y`.
    public var simple: String { description }
    /// Returns `nil` if the text isn't a length.
    public init?(simple: String) { self.init(text: simple) }
}

extension Slug: StorableAs {
    /// The slug's text.
    public var simple: String { text }
    /// Returns `nil` if the text isn't a slug.
    public init?(simple: String) { self.init(simple) }
}

extension LicenseID: StorableAs {
    /// The license's number.
    public var simple: Int64 { number }
    /// Returns `nil` for a negative number.
    public init?(simple: Int64) { self.init(number: simple) }
}

extension NumberedID: StorableAs {
    /// The id's number.
    public var simple: Int64 { number }
    /// Returns `nil` for a negative number.
    public init?(simple: Int64) { self.init(number: simple) }
}

extension AccountID: StorableAs {
    /// The account id's text.
    public var simple: String { text }
    /// Returns `nil` if the text isn't an account id.
    public init?(simple: String) { self.init(simple) }
}

extension AppleItemID: StorableAs {
    /// The item's number.
    public var simple: UInt64 { number }
    /// Returns `nil` for 0 and for numbers over 2^63 - 1.
    public init?(simple: UInt64) { self.init(number: simple) }
}

extension AppleVersionID: StorableAs {
    /// The version's number.
    public var simple: UInt64 { number }
    /// Returns `nil` for 0 and for numbers over 2^63 - 1.
    public init?(simple: UInt64) { self.init(number: simple) }
}

extension AssetID: StorableAs {
    /// The asset id's text.
    public var simple: String { text }
    /// Returns `nil` if the text isn't an asset id.
    public init?(simple: String) { self.init(simple) }
}

extension ActivationID: Storable {
    /// A sixteen-byte identifier.
    public static var storedType: StoredType { .name }
    /// The id's two 64-bit halves.
    public var storedValue: StoredValue { .name(high, low) }

    /// Reads the next column; throws `.corrupt` unless it has 16 bytes.
    public init(from cursor: inout RowCursor) throws(StoreError) {
        let halves: (UInt64, UInt64)? = cursor.withBytes { bytes in
            guard bytes.count == 16 else { return nil }
            return (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        guard let (high, low) = halves else { throw .unreadable("an activation's id") }
        self.init(high: high, low: low)
    }
}

extension LifecycleState: StorableCode {}
