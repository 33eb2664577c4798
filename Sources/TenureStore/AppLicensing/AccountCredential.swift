public import TenureCore

/// Something that proves to be an account, as it is stored: its hash, never its text.
public struct AccountCredential: Sendable, Hashable {
    /// What it proves itself with.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The bearer of device and app requests.
        case token
        /// A link that opens one session on the resolution page, once.
        case link
        /// The cookie of a session on the resolution page.
        case session
    }

    /// SHA-256 of its text, unique on the server.
    public let hash: Digest
    /// Whose it is.
    public let account: AccountRef
    /// What it is.
    public let kind: Kind
    /// When it was made.
    public let createdAt: Timestamp
    /// When it ends; nil for one without an end.
    public let expiresAt: Timestamp?
    /// When it was used up or revoked; nil while it works.
    public var endedAt: Timestamp?

    /// Puts it together.
    public init(
        hash: Digest, account: AccountRef, kind: Kind, createdAt: Timestamp, expiresAt: Timestamp?,
        endedAt: Timestamp? = nil
    ) {
        self.hash = hash
        self.account = account
        self.kind = kind
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.endedAt = endedAt
    }

    /// Whether it works at a moment.
    public func works(at now: Timestamp) -> Bool { endedAt == nil && expiresAt.map { now < $0 } ?? true }
}
