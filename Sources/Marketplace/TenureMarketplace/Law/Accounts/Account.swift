public import TenureCore

/// A customer's account at a marketplace. Apps are granted to accounts.
public struct Account: Sendable, Hashable {
    /// The tenant of the marketplace, and the account's id there.
    public let ref: AccountRef

    /// The customer's e-mail address; `nil` if the operator gave none.
    public var email: String?

    /// The password hash in libsodium's text form; `nil` if the account has no password.
    public var passwordHash: String?

    /// When the account was created.
    public let createdAt: Timestamp

    /// When the operator deleted the account; `nil` if the account hasn't been deleted.
    ///
    /// A deleted account stays recorded without personal data, so that its id is never given to another account.
    public private(set) var deletedAt: Timestamp?

    /// Creates an account from its parts.
    public init(
        ref: AccountRef, email: String? = nil, passwordHash: String? = nil, createdAt: Timestamp,
        deletedAt: Timestamp? = nil
    ) {
        self.ref = ref
        self.email = email
        self.passwordHash = passwordHash
        self.createdAt = createdAt
        self.deletedAt = deletedAt
    }

    /// Whether the account hasn't been deleted.
    public var isOpen: Bool { deletedAt == nil }

    /// Returns the account marked as deleted, without its address and password; if it was deleted before, the earlier
    /// time stays.
    public func deleted(at now: Timestamp) -> Account {
        Account(ref: ref, createdAt: createdAt, deletedAt: deletedAt ?? now)
    }
}

extension EventKind {
    /// An operator, a shop's backend or a catalog file created an account.
    public static let accountAdded = EventKind(
        "account.added", "An account was created.", since: "0.1")
    /// An account's e-mail or password was changed.
    public static let accountChanged = EventKind(
        "account.changed", "An account's e-mail address or password was changed.", facts: [.text("changed").optional],
        since: "0.1")
    /// An account was deleted, and its grants and credentials ended.
    public static let accountDeleted = EventKind(
        "account.deleted",
        "An account was deleted, with its address and password. Its id can't be used again.", since: "0.2")
    /// A token or a one-time link for an account was created.
    public static let accountTokenMade = EventKind(
        "account.token_made", "A token or one-time link was created for an account.",
        facts: [.text("kind"), .dateOrNever("expiresAt")], since: "0.1")
    /// A customer signed in to the resolution page.
    public static let accountSessionOpened = EventKind(
        "account.session_opened", "A person opened a session on the resolution page.",
        facts: [.text("by"), .text("reference")], since: "0.1")
    /// A customer requested a renewal on the resolution page.
    public static let accountRenewalAsked = EventKind(
        "account.renewal_asked", "A person requested a renewal on the resolution page.", facts: [.text("reference")],
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
        "account.signed_in", "A person signed in to an account in an app.", facts: [.text("by"), .text("credential")],
        since: "0.2")
    /// A used code or token was presented again, so the whole sign-in ended.
    public static let accountSignInEnded = EventKind(
        "account.sign_in_ended",
        "An app's sign-in was ended because one of its codes or tokens was used twice.",
        facts: [.text("shown"), .text("credential")], since: "0.2")

    /// All kinds of events about accounts and sign-ins, for the list of event kinds.
    public static let accounts: [EventKind] = [
        .accountAdded, .accountChanged, .accountDeleted, .accountTokenMade, .accountSessionOpened, .accountRenewalAsked,
        .accountSessionClosed, .accountCredentialEnded, .accountSignedIn, .accountSignInEnded,
    ]
}

extension Actor.Kind {
    /// The kind of actor for a marketplace customer who uses one of the server's pages.
    public static var account: Self { Self("account") }
}

extension Actor {
    /// App Store Connect, through a notification.
    public static var appStore: Actor { Actor(Kind("app-store")) }

    /// Returns the actor for a marketplace customer who uses one of the server's pages.
    public static func account(_ id: AccountID) -> Actor { Actor(.account, id.text) }
}
