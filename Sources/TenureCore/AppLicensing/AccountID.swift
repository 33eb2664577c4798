/// Names a person at a marketplace: 1 to 128 bytes of text that the vendor chose, without control characters.
///
/// It is the `account` of Apple's URLs and comes back in them, so it may hold spaces and any script (design §4).
public struct AccountID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text itself.
    public let text: String

    /// Refuses a text that is empty, too long, or has control characters.
    public init?(_ text: String) {
        let printable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard (1...128).contains(text.utf8.count), printable else { return nil }
        self.text = text
    }

    /// The text itself.
    public var description: String { text }

    /// Orders by bytes.
    public static func < (one: AccountID, other: AccountID) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    /// Two accounts are one when their bytes are the same: no Unicode folding between people.
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

/// Names an account on this server: its tenant and its own name.
public struct AccountRef: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// At whose marketplace.
    public let tenant: TenantID
    /// Its name there.
    public let account: AccountID

    /// Names an account.
    public init(tenant: TenantID, account: AccountID) {
        self.tenant = tenant
        self.account = account
    }

    /// `tenant/account`.
    public var description: String { "\(tenant)/\(account)" }

    /// Orders by tenant, then account.
    public static func < (one: AccountRef, other: AccountRef) -> Bool {
        (one.tenant.text, one.account) < (other.tenant.text, other.account)
    }
}
