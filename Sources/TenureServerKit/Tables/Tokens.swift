public import TenureCore
public import TenureStore

/// An operator's token as it is stored: its hash, never its text.
public struct TokenRecord: Sendable, Hashable {
    /// Its name for revoking it, such as `tok_...`; public.
    public let id: String
    /// The tenant it acts for.
    public let tenant: TenantID
    /// What its maker called it.
    public let name: String
    /// What it may do, sorted; a scope is printable ASCII without a space.
    public let scopes: [String]
    /// SHA-256 of the token's text.
    public let hash: Digest
    /// When it was made.
    public let createdAt: Timestamp
    /// When it stops working; nil for never.
    public let expiresAt: Timestamp?
    /// When it was revoked; nil while it works.
    public var revokedAt: Timestamp?

    /// Puts a record together.
    public init(
        id: String, tenant: TenantID, name: String, scopes: [String], hash: Digest, createdAt: Timestamp,
        expiresAt: Timestamp?, revokedAt: Timestamp?
    ) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.scopes = scopes
        self.hash = hash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }
}

extension TokenRecord: Stored {
    /// Operators' tokens, revoked ones too.
    public static let table = Table<TokenRecord>(
        "tokens", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("name") { $0.name },
            Field("scopes") { TokenRecord.code($0.scopes) }, Field("hash") { $0.hash },
            Field("created_at") { $0.createdAt }, Field("expires_at") { $0.expiresAt },
            Field("revoked_at") { $0.revokedAt },
        ],
        parents: [TenantRow.table.shape],
        uniques: [Unique("hash", "hash")]
    ) { row throws(StoreError) in
        TokenRecord(
            id: try row.next(), tenant: try row.next(), name: try row.next(),
            scopes: TokenRecord.scopes(code: try row.next()), hash: try row.next(), createdAt: try row.next(),
            expiresAt: try row.next(), revokedAt: try row.next())
    }

    /// Finds a token by the hash of its text.
    public static let byHash = table.unique("hash")

    /// All of them, the oldest first. There are few, and no index by tenant: those of one are a listing with a filter.
    public static let byAge = table.set("by_age", order: [.up("created_at")])
}

extension TokenRecord {
    /// Scopes in their order, separated by spaces, which no scope contains.
    package static func code(_ scopes: [String]) -> String {
        scopes.joined(separator: " ")
    }

    /// Reads what ``code(_:)`` writes.
    package static func scopes(code: String) -> [String] {
        code.split(separator: " ").map(String.init)
    }
}

extension Guard {
    /// Keeps uses of one credential apart until the commit, whoever it stands for.
    ///
    /// Its list holds hashes.
    public static let credential = Guard(
        [.blob],
        postgres: """
            SELECT hashtextextended('credential/' || encode(hash, 'hex'), 0) FROM unnest($1::bytea[]) AS w (hash)
            """)
}
