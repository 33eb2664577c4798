/// A customer's account at a marketplace.
public struct Account: Sendable, Hashable {
    /// The account's tenant and id.
    public let ref: AccountRef

    /// The customer's e-mail address; `nil` if unknown.
    public var email: String?

    /// The password hash in libsodium's text form; `nil` if the account has no password.
    public var passwordHash: String?

    /// When the account was created.
    public let createdAt: Timestamp

    /// Creates an account.
    public init(ref: AccountRef, email: String? = nil, passwordHash: String? = nil, createdAt: Timestamp) {
        self.ref = ref
        self.email = email
        self.passwordHash = passwordHash
        self.createdAt = createdAt
    }
}

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

    /// Creates a reference.
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

extension EventKind {
    /// An account was created.
    public static let accountAdded = EventKind(
        "account.added", "An account was made.", since: "0.1")
    /// An account's e-mail or password was changed.
    public static let accountChanged = EventKind(
        "account.changed", "An account's e-mail or password was changed.", facts: [.text("changed").optional],
        since: "0.1")
    /// A token or a one-time link for an account was created.
    public static let accountTokenMade = EventKind(
        "account.token_made", "A token or a one-time link of an account was made.",
        facts: [.text("kind"), .dateOrNever("expiresAt")], since: "0.1")
    /// A customer signed in to the resolution page.
    public static let accountSessionOpened = EventKind(
        "account.session_opened", "A person opened a session on the resolution page.",
        facts: [.text("by"), .text("reference")], since: "0.1")
    /// A customer requested a renewal on the resolution page.
    public static let accountRenewalAsked = EventKind(
        "account.renewal_asked", "A person asked for renewal on the resolution page.", facts: [.text("reference")],
        since: "0.1")
    /// A customer signed out of the resolution page.
    public static let accountSessionClosed = EventKind(
        "account.session_closed", "A person ended a session on the resolution page.", facts: [.text("reference")],
        since: "0.1")

    /// The operator revoked a token, a link, a session or a sign-in of an account.
    public static let accountCredentialEnded = EventKind(
        "account.credential_ended", "The operator ended a token, a link, a session or a sign-in of an account.",
        facts: [.text("kind"), .text("credential")], since: "0.1")

    /// An app received tokens for an account.
    public static let accountSignedIn = EventKind(
        "account.signed_in", "An app was signed in to an account.", facts: [.text("by"), .text("credential")],
        since: "0.2")
    /// A used code or token was presented again, so the whole sign-in ended.
    public static let accountSignInEnded = EventKind(
        "account.sign_in_ended",
        "A sign-in of an app ended, for somebody showed a code or a token of it that was used.",
        facts: [.text("shown"), .text("credential")], since: "0.2")

    /// The kinds of events of accounts.
    public static let accounts: [EventKind] = [
        .accountAdded, .accountChanged, .accountTokenMade, .accountSessionOpened, .accountRenewalAsked,
        .accountSessionClosed, .accountCredentialEnded, .accountSignedIn, .accountSignInEnded,
    ]
}
