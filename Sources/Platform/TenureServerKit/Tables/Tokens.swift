public import TenureCore
public import TenureStore

/// A stored operator token, with a hash of the token's text instead of the text.
public struct TokenRecord: Sendable, Hashable {
    /// The token's public id, such as `tok_...`, which commands use to revoke the token.
    public let id: String
    /// The tenant that the token belongs to.
    public let tenant: TenantID
    /// The name that the token's creator chose.
    public let name: String
    /// The scopes of the token, sorted. A scope consists of printable ASCII characters without spaces.
    public let scopes: [String]
    /// The SHA-256 hash of the token's text.
    public let hash: Digest
    /// The time at which the token was created.
    public let createdAt: Timestamp
    /// The time at which the token expires; `nil` for never.
    public let expiresAt: Timestamp?
    /// The time at which the token was revoked; `nil` if it wasn't.
    public var revokedAt: Timestamp?

    /// Creates the record of a token whose text is already hashed.
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
    /// The operator tokens, including revoked ones.
    public static let table = Table<TokenRecord>(
        "tokens", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("name") { $0.name },
            Field("scopes") { TokenRecord.code($0.scopes) }, Field("hash") { $0.hash },
            Field("created_at") { $0.createdAt }, Field("expires_at") { $0.expiresAt },
            Field("revoked_at") { $0.revokedAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        uniques: [Unique("hash", "hash")]
    ) { row in
        TokenRecord(
            id: try row.next(), tenant: try row.next(), name: try row.next(),
            scopes: TokenRecord.scopes(code: try row.next()), hash: try row.next(), createdAt: try row.next(),
            expiresAt: try row.next(), revokedAt: try row.next())
    }

    /// Finds a token by the hash of its text.
    public static let byHash = table.unique("hash")

    /// All tokens, oldest first.
    ///
    /// There are few tokens, so a tenant's tokens are filtered without an index.
    public static let byAge = table.set("by_age", order: [.up("created_at")])
}

extension TokenRecord {
    /// Encodes scopes as one text, separated by spaces, because no scope contains a space.
    package static func code(_ scopes: [String]) -> String {
        scopes.joined(separator: " ")
    }

    /// Decodes scopes that ``code(_:)`` encoded.
    package static func scopes(code: String) -> [String] {
        code.split(atByte: " ").map(String.init)
    }
}

extension QueryLock {
    /// Serializes transactions that use the same credential, of any kind, until they commit.
    ///
    /// A query plan passes the list of the credentials' hashes.
    public static let credential = QueryLock(
        [.blob],
        postgres: """
            SELECT hashtextextended('credential/' || encode(hash, 'hex'), 0) FROM unnest($1::bytea[]) AS w (hash)
            """)
}
