public import TenureCore
import TenureFormats
import TenureServerKit
public import TenureStore

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

    /// By what people name it: `cred_` and the first 64 bits of the hash, from which nobody gets the text.
    public var id: String { "cred_" + Hex.encode(Array(hash.bytes.prefix(Self.idLength))) }

    /// How many bytes of the hash stand in an id.
    static let idLength = 8

    /// Whether it works at a moment.
    public func works(at now: Timestamp) -> Bool { endedAt == nil && expiresAt.map { now < $0 } ?? true }
}

extension AccountCredential: Endable {}

extension AccountCredential.Kind: StorableCode {}

extension AccountCredential: Stored {
    /// What accounts prove themselves with.
    public static let table = Table<AccountCredential>(
        "credentials", key: ["hash"],
        [
            Field("hash") { $0.hash }, Field("tenant") { $0.account.tenant },
            Field("account") { $0.account.account }, Field("kind") { $0.kind },
            Field("created_at") { $0.createdAt }, Field("expires_at") { $0.expiresAt },
            Field("ended_at") { $0.endedAt },
        ],
        parents: [Account.table.shape]
    ) { row throws(StoreError) in
        AccountCredential(
            hash: try row.next(), account: try row.account(), kind: try row.next(), createdAt: try row.next(),
            expiresAt: try row.next(), endedAt: try row.next())
    }

    /// An account's, ended ones included.
    public static let ofAccount = table.set("of_account", "tenant", "account")
    /// Those that end, the first to end first.
    public static let byExpiry = table.set("by_expiry", where: .isNotNull("expires_at"), order: [.up("expires_at")])
    /// Those that were used up or revoked, the first first.
    public static let byEnd = table.set("by_end", where: .isNotNull("ended_at"), order: [.up("ended_at")])
}
