public import TenureCore
public import TenureStore

/// A response that is returned again for a request with the same idempotency key.
public struct IdempotentResponse: Sendable, Hashable {
    /// A digest of the tenant, the caller and the client's idempotency key.
    public let key: Digest
    /// A digest of the request, to detect a key that is used for another one.
    public let fingerprint: Digest
    /// The response, encrypted under the master key, because it may contain a license key.
    public let sealed: [UInt8]
    /// When it was first returned.
    public let at: Timestamp

    /// Creates a value from its parts.
    public init(key: Digest, fingerprint: Digest, sealed: [UInt8], at: Timestamp) {
        self.key = key
        self.fingerprint = fingerprint
        self.sealed = sealed
        self.at = at
    }

    /// How long responses are remembered, in seconds: 24 hours.
    public static let lifetime: Int64 = 86_400
}

extension IdempotentResponse: StoredResponse {
    /// The remembered responses.
    public static let table = Table<IdempotentResponse>(
        "answers", key: ["request"],
        [
            Field("request") { $0.key }, Field("fingerprint") { $0.fingerprint }, Field("sealed") { $0.sealed },
            Field("at") { $0.at },
        ],
        indexes: [TableIndex("by_age", "at")]
    ) { row in
        IdempotentResponse(key: try row.next(), fingerprint: try row.next(), sealed: try row.next(), at: try row.next())
    }

    /// All responses, oldest first.
    public static let byAge = table.set("by_age", order: [.up("at")])

    /// Serializes requests with the same key until the commit; a response that doesn't exist yet has no row to lock.
    ///
    /// The list holds keys. A lock's number is the first eight bytes of the key.
    public static let turn = QueryLock(
        [.blob],
        postgres: """
            SELECT ('x' || encode(substring(request FOR 8), 'hex'))::bit(64)::bigint
            FROM unnest($1::bytea[]) AS w (request)
            """)
}
