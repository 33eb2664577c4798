package import TenureCore

/// What is bound to a place of a statement, whichever engine's.
package enum StoredValue: Sendable, Hashable {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case flag(Bool)
    case null

    static func integer(_ number: Int?) -> StoredValue { number.map { .integer(Int64($0)) } ?? .null }
    static func moment(_ moment: Timestamp?) -> StoredValue { moment.map { .integer($0.seconds) } ?? .null }
    static func text(_ text: String?) -> StoredValue { text.map { .text($0) } ?? .null }
    static func blob(_ bytes: [UInt8]?) -> StoredValue { bytes.map { .blob($0) } ?? .null }
    static func digest(_ digest: Digest) -> StoredValue { .blob(digest.bytes) }

    /// A number of all 64 bits, by its bit pattern: databases have signed numbers only.
    static func pattern(_ number: UInt64) -> StoredValue { .integer(Int64(bitPattern: number)) }

    package static func tenant(_ tenant: TenantID) -> StoredValue { .text(tenant.text) }
    package static func account(_ account: AccountID?) -> StoredValue { .text(account?.text) }
    package static func item(_ item: AppleItemID) -> StoredValue { .pattern(item.number) }
    package static func version(_ version: AppleVersionID) -> StoredValue { .pattern(version.number) }
}
