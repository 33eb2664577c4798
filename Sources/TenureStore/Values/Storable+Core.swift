public import TenureCore

// The names, numbers and moments of the law, as columns hold them.

extension Timestamp: StorableAs {
    /// POSIX seconds.
    public var simple: Int64 { seconds }
    /// The moment so many seconds after 1970 began in UTC.
    public init?(simple: Int64) { self.init(seconds: simple) }
}

extension Digest: StorableAs {
    /// Its bytes.
    public var simple: [UInt8] { bytes }
    /// Refuses all but 32 bytes.
    public init?(simple: [UInt8]) { self.init(simple) }
}

extension Slug: StorableAs {
    /// Its text.
    public var simple: String { text }
    /// Refuses what is no slug.
    public init?(simple: String) { self.init(simple) }
}

extension LicenseID: StorableAs {
    /// Its number.
    public var simple: Int64 { number }
    /// Refuses a negative number.
    public init?(simple: Int64) { self.init(number: simple) }
}

extension NumberedID: StorableAs {
    /// Its number.
    public var simple: Int64 { number }
    /// Refuses a negative number.
    public init?(simple: Int64) { self.init(number: simple) }
}

extension AccountID: StorableAs {
    /// Its text.
    public var simple: String { text }
    /// Refuses what no account is called.
    public init?(simple: String) { self.init(simple) }
}

extension AppleItemID: StorableAs {
    /// Its number.
    public var simple: UInt64 { number }
    /// Refuses 0.
    public init?(simple: UInt64) { self.init(number: simple) }
}

extension AppleVersionID: StorableAs {
    /// Its number.
    public var simple: UInt64 { number }
    /// Refuses 0.
    public init?(simple: UInt64) { self.init(number: simple) }
}

extension AssetID: StorableAs {
    /// Its text.
    public var simple: String { text }
    /// Refuses what no asset is called.
    public init?(simple: String) { self.init(simple) }
}

extension LicenseKeyPrefix: StorableAs {
    /// Its text.
    public var simple: String { text }
    /// Refuses what is no prefix.
    public init?(simple: String) { self.init(simple) }
}

extension ActivationID: Storable {
    /// A name of sixteen bytes.
    public static var storedType: StoredType { .name }
    /// Its two halves.
    public var storedValue: StoredValue { .name(high, low) }

    /// Reads the next column. Throws `.corrupt` for another number of bytes.
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

extension License.State: StorableCode {}
