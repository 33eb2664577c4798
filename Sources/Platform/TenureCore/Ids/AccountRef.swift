/// An account's id at a marketplace: 1 to 128 bytes of text chosen by the vendor, without control characters.
///
/// Apple sends it back as the `account` in URLs, so it may contain spaces and any script.
public struct AccountID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text as the vendor wrote it, neither trimmed nor case-folded.
    public let text: String

    /// Creates an id; returns `nil` if the text is empty, longer than 128 bytes or contains control characters.
    public init?(_ text: String) {
        let printable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard (1...128).contains(text.utf8.count), printable else { return nil }
        self.text = text
    }

    /// The text itself, for URLs and messages.
    public var description: String { text }

    /// Compares the bytes.
    public static func < (one: AccountID, other: AccountID) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    /// Compares the bytes without Unicode normalization, so that two customers never share an account.
    public static func == (one: AccountID, other: AccountID) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes: Array(text.utf8))
    }
}

extension Hasher {
    fileprivate mutating func combine(bytes: [UInt8]) {
        combine(bytes.count)
        for byte in bytes { combine(byte) }
    }
}

/// An account's full name on this server: the tenant and the account's id.
public struct AccountRef: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The tenant whose marketplace the account belongs to.
    public let tenant: TenantID
    /// The account's id at that marketplace.
    public let account: AccountID

    /// Creates a reference without checking that the account exists.
    public init(tenant: TenantID, account: AccountID) {
        self.tenant = tenant
        self.account = account
    }

    /// The text `tenant/account`.
    public var description: String { "\(tenant)/\(account)" }

    /// Compares by tenant, then by account.
    public static func < (one: AccountRef, other: AccountRef) -> Bool {
        (one.tenant.text, one.account) < (other.tenant.text, other.account)
    }
}
