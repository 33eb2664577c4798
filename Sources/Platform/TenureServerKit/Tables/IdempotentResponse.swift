public import TenureCore
public import TenureStore

/// The record of a request that was carried out, so that a repetition with the same idempotency key isn't carried out
/// again.
///
/// The row is stored for ``lifetime``, but its response only for ``responseLifetime``.
public struct IdempotentResponse: Sendable, Hashable {
    /// A digest of the tenant and the idempotency key.
    public let key: Digest
    /// A digest of the request, to detect a key that is reused for a different request.
    public let fingerprint: Digest
    /// The ids of the records that the request created or changed, eight bytes each, in the order of the response.
    public let records: [UInt8]
    /// The caller of the first request.
    public let actor: Actor
    /// The response, encrypted under the master key, because it may contain a license key; `nil` after its deletion.
    public var sealed: [UInt8]?
    /// The time at which the first request was handled.
    public let at: Timestamp

    /// Creates the record of a request whose response is already encrypted.
    public init(
        key: Digest, fingerprint: Digest, records: [UInt8], actor: Actor, sealed: [UInt8]?, at: Timestamp
    ) {
        self.key = key
        self.fingerprint = fingerprint
        self.records = records
        self.actor = actor
        self.sealed = sealed
        self.at = at
    }

    /// How long a request with the same key isn't carried out again, in seconds: 120 days.
    public static let lifetime: Int64 = 120 * 86_400
    /// How long responses are stored, in seconds: 24 hours.
    public static let responseLifetime: Int64 = 86_400
}

extension IdempotentResponse: StoredResponse {
    /// The requests that were carried out, by idempotency key.
    public static let table = Table<IdempotentResponse>(
        "answers", key: ["request"],
        [
            Field("request") { $0.key }, Field("fingerprint") { $0.fingerprint }, Field("records") { $0.records },
            Field("actor") { $0.actor }, Field("sealed", namesPerson: true) { $0.sealed }, Field("at") { $0.at },
        ],
        indexes: [TableIndex("by_age", "at"), TableIndex("sealed", "at", where: .isNotNull("sealed"))]
    ) { row in
        IdempotentResponse(
            key: try row.next(), fingerprint: try row.next(), records: try row.next(), actor: try row.next(),
            sealed: try row.next(), at: try row.next())
    }

    /// All rows, oldest first.
    public static let byAge = table.set("by_age", order: [.up("at")])

    /// The rows that still have a response, oldest first.
    public static let withResponse = table.set("with_response", where: .isNotNull("sealed"), order: [.up("at")])

    /// Serializes transactions for the same idempotency key until they commit.
    ///
    /// Before the first response is stored, there's no row to lock. A query plan passes the list of keys. The number
    /// of each lock is the first eight bytes of the key's digest.
    public static let turn = QueryLock(
        [.blob],
        postgres: """
            SELECT ('x' || encode(substring(request FOR 8), 'hex'))::bit(64)::bigint
            FROM unnest($1::bytea[]) AS w (request)
            """)
}

extension IdempotentResponse {
    /// Whether the first request's caller would still get the first response.
    package func hasCurrentResponse(at now: Timestamp) -> Bool {
        sealed != nil && at.seconds(until: now) < Self.responseLifetime
    }

    /// The ids that ``records`` encodes.
    package var recordNumbers: [Int64] {
        stride(from: 0, to: records.count - records.count % 8, by: 8).map { start in
            Int64(bitPattern: records[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
        }
    }

    /// Encodes ids in the format of ``records``.
    package static func code(_ numbers: [Int64]) -> [UInt8] {
        numbers.flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
        }
    }
}
