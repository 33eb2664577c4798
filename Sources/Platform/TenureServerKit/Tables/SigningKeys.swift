public import TenureCore
public import TenureStore

/// A stored lease-signing key of a tenant; its private seed is encrypted under the master key.
public struct SigningKeyRecord: Sendable, Hashable {
    /// What a key is used for.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// The key signs and is published.
        case primary
        /// The key no longer signs, but is published until everything that it signed has expired.
        case retiring
        /// The key neither signs nor is published.
        case retired
    }

    /// The tenant.
    public let tenant: TenantID
    /// The name (`kid`), unique within the tenant.
    public let kid: String
    /// What the key is used for now.
    public var status: Status
    /// The raw public key, 32 bytes.
    public let publicKey: [UInt8]
    /// The private seed, encrypted under the master key.
    public let sealedSeed: [UInt8]
    /// When it was created.
    public let createdAt: Timestamp
    /// The time until which a retiring key is published; `nil` for keys with another status.
    ///
    /// It's also `nil` for a retiring key that signed something that never expires. Such a key is published until an
    /// operator withdraws it.
    public var publishedUntil: Timestamp?
    /// The longest validity of anything that the key may have signed, under all policies since it became primary.
    ///
    /// `nil` for a key that has signed nothing.
    public var span: SignedSpan?

    /// Creates a value from its parts.
    public init(
        tenant: TenantID, kid: String, status: Status, publicKey: [UInt8], sealedSeed: [UInt8],
        createdAt: Timestamp, publishedUntil: Timestamp?, span: SignedSpan? = nil
    ) {
        self.tenant = tenant
        self.kid = kid
        self.status = status
        self.publicKey = publicKey
        self.sealedSeed = sealedSeed
        self.createdAt = createdAt
        self.publishedUntil = publishedUntil
        self.span = span
    }
}

extension SigningKeyRecord.Status: StorableCode {}

extension SigningKeyRecord: Stored {
    /// The lease-signing keys of all tenants, except prepared ones.
    public static let table = Table<SigningKeyRecord>(
        "signing_keys", key: ["tenant", "kid"],
        [
            Field("tenant") { $0.tenant }, Field("kid") { $0.kid }, Field("standing") { $0.status },
            Field("public_key") { $0.publicKey }, Field("sealed_seed") { $0.sealedSeed },
            Field("created_at") { $0.createdAt }, Field("published_until") { $0.publishedUntil },
            Field("span_days") { $0.span?.days },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true
    ) { row in
        SigningKeyRecord(
            tenant: try row.next(), kid: try row.next(), status: try row.next(), publicKey: try row.next(),
            sealedSeed: try row.next(), createdAt: try row.next(), publishedUntil: try row.next(),
            span: try row.next(Int?.self).map { SignedSpan(days: $0) })
    }

    /// All keys, oldest first.
    public static let byAge = table.set("by_age", order: [.up("created_at")])
    /// The keys of a tenant, oldest first.
    public static let ofTenant = table.set("of_tenant", "tenant", order: [.up("created_at")])
}

extension RecordStore {
    /// Reads the signing keys of a tenant, or of all tenants for `nil`, oldest first.
    public func signingKeys(of tenant: TenantID? = nil) async throws(Failure) -> [SigningKeyRecord] {
        guard let tenant else { return try await fetch(allKeys.bind())[allKeys.queries] }
        return try await fetch(ownKeys.bind(tenant))[ownKeys.queries]
    }
}

private let allKeys = QueryPlan { query in query.rows(SigningKeyRecord.byAge, upTo: .everything) }
private let ownKeys = QueryPlan(for: TenantID.self) { query in
    query.rows(SigningKeyRecord.ofTenant, upTo: .everything) { [.of($0)] }
}
