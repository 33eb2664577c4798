/// A person at a marketplace.
public struct Account: Sendable, Hashable {
    /// Its name on this server.
    public let ref: AccountRef

    /// Where the person can be written to; nil when nobody said.
    public var email: String?

    /// How the person's password is recognised, in libsodium's text form; nil when there is none.
    public var passwordHash: String?

    /// When it was made.
    public let createdAt: Timestamp

    /// Puts an account together.
    public init(ref: AccountRef, email: String? = nil, passwordHash: String? = nil, createdAt: Timestamp) {
        self.ref = ref
        self.email = email
        self.passwordHash = passwordHash
        self.createdAt = createdAt
    }
}

/// Names a person at a marketplace: 1 to 128 bytes of text that the vendor chose, without control characters.
///
/// It is the `account` of Apple's URLs and comes back in them, so it may hold spaces and any script (design §4).
public struct AccountID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// As the vendor wrote it; nothing is trimmed or folded.
    public let text: String

    /// Refuses a text that is empty, too long, or has control characters.
    public init?(_ text: String) {
        let printable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard (1...128).contains(text.utf8.count), printable else { return nil }
        self.text = text
    }

    /// The text without more, for URLs and messages.
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

extension EventKind {
    /// An account was made.
    public static let accountAdded = EventKind(
        "account.added", "An account was made.", since: "0.1")
    /// An account's e-mail or password was changed.
    public static let accountChanged = EventKind(
        "account.changed", "An account's e-mail or password was changed.", facts: [.text("changed").optional],
        since: "0.1")
    /// A token or a one-time link of an account was made.
    public static let accountTokenMade = EventKind(
        "account.token_made", "A token or a one-time link of an account was made.",
        facts: [.text("kind"), .dateOrNever("expiresAt")], since: "0.1")
    /// A person opened a session on the resolution page.
    public static let accountSessionOpened = EventKind(
        "account.session_opened", "A person opened a session on the resolution page.",
        facts: [.text("by"), .text("reference")], since: "0.1")
    /// A person asked for renewal on the resolution page.
    public static let accountRenewalAsked = EventKind(
        "account.renewal_asked", "A person asked for renewal on the resolution page.", facts: [.text("reference")],
        since: "0.1")
    /// A person ended a session on the resolution page.
    public static let accountSessionClosed = EventKind(
        "account.session_closed", "A person ended a session on the resolution page.", facts: [.text("reference")],
        since: "0.1")

    /// The operator ended what an account proves itself with.
    public static let accountCredentialEnded = EventKind(
        "account.credential_ended", "The operator ended a token, a link, a session or a sign-in of an account.",
        facts: [.text("kind"), .text("credential")], since: "0.1")

    /// An app was given tokens of an account.
    public static let accountSignedIn = EventKind(
        "account.signed_in", "An app was signed in to an account.", facts: [.text("by"), .text("credential")],
        since: "0.2")
    /// Somebody showed what was used: all that a sign-in gave is over.
    public static let accountSignInEnded = EventKind(
        "account.sign_in_ended",
        "A sign-in of an app ended, for somebody showed a code or a token of it that was used.",
        facts: [.text("shown"), .text("credential")], since: "0.2")

    /// The kinds of this family.
    public static let accounts: [EventKind] = [
        .accountAdded, .accountChanged, .accountTokenMade, .accountSessionOpened, .accountRenewalAsked,
        .accountSessionClosed, .accountCredentialEnded, .accountSignedIn, .accountSignInEnded,
    ]
}
