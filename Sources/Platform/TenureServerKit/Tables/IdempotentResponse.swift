public import TenureCore
public import TenureStore

/// A stored response, which is returned again for a repeated request with the same idempotency key.
public struct IdempotentResponse: Sendable, Hashable {
    /// A digest of the tenant, the caller and the idempotency key.
    public let key: Digest
    /// A digest of the request, to detect a key that is reused for a different request.
    public let fingerprint: Digest
    /// The response, encrypted under the master key, because it may contain a license key.
    public let sealed: [UInt8]
    /// When the first request was handled.
    public let at: Timestamp

    /// Creates a value from its parts.
    public init(key: Digest, fingerprint: Digest, sealed: [UInt8], at: Timestamp) {
        self.key = key
        self.fingerprint = fingerprint
        self.sealed = sealed
        self.at = at
    }

    /// How long responses are stored, in seconds: 24 hours.
    public static let lifetime: Int64 = 86_400
}

extension IdempotentResponse: StoredResponse {
    /// The stored responses, by idempotency key.
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

    /// Serializes transactions for the same idempotency key until they commit.
    ///
    /// Before the first response is stored, there's no row to lock. A plan passes the list of keys; the number of a
    /// lock is the first eight bytes of its key.
    public static let turn = QueryLock(
        [.blob],
        postgres: """
            SELECT ('x' || encode(substring(request FOR 8), 'hex'))::bit(64)::bigint
            FROM unnest($1::bytea[]) AS w (request)
            """)
}
