public import TenureCore
public import TenureStore

/// An answer that is given again, word for word, when its request is sent again with the same idempotency key.
public struct RememberedAnswer: Sendable, Hashable {
    /// Names the request: a digest of the tenant and of the key that the client chose.
    public let key: Digest
    /// A digest of what was asked, to notice a key that is used for something else.
    public let fingerprint: Digest
    /// The answer, sealed under the master key: it may hold a license key's text.
    public let sealed: [UInt8]
    /// When it was given.
    public let at: Timestamp

    /// Puts it together.
    public init(key: Digest, fingerprint: Digest, sealed: [UInt8], at: Timestamp) {
        self.key = key
        self.fingerprint = fingerprint
        self.sealed = sealed
        self.at = at
    }

    /// How long answers are remembered, in seconds: 24 hours.
    public static let lifetime: Int64 = 86_400
}

extension RememberedAnswer: Stored {
    /// Answers that are given again when a request is sent again.
    public static let table = Table<RememberedAnswer>(
        "answers", key: ["request"],
        [
            Field("request") { $0.key }, Field("fingerprint") { $0.fingerprint }, Field("sealed") { $0.sealed },
            Field("at") { $0.at },
        ]
    ) { row throws(StoreError) in
        RememberedAnswer(key: try row.next(), fingerprint: try row.next(), sealed: try row.next(), at: try row.next())
    }

    /// All of them, the oldest first.
    public static let byAge = table.set("by_age", order: [.up("at")])

    /// Keeps requests with one of these keys apart until the commit: an answer that is not there yet has no row to lock.
    ///
    /// Its list holds keys. The number of a lock is the beginning of the key.
    public static let turn = Guard(
        [.blob],
        postgres: """
            SELECT ('x' || encode(substring(request FOR 8), 'hex'))::bit(64)::bigint
            FROM unnest($1::bytea[]) AS w (request)
            """)
}
