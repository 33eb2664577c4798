public import TenureCore
public import TenureStore

/// A stored lease-signing key of a tenant, whose private seed is encrypted under the master key.
public struct SigningKeyRecord: Sendable, Hashable {
    /// Whether a key signs new leases, and whether clients get its public key.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// The key signs new leases and is published.
        case primary
        /// The key no longer signs, but is published until every lease that it signed has expired.
        case retiring
        /// The key isn't published, and signs no leases. It may still sign the keyset.
        case retired
    }

    /// The tenant that the key belongs to.
    public let tenant: TenantID
    /// The key's name (`kid`), which is unique within the tenant.
    public let kid: String
    /// The key's status, which changes when the keys are rotated or the key is withdrawn.
    public var status: Status
    /// The raw Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]
    /// The private seed, encrypted under the master key.
    public let sealedSeed: [UInt8]
    /// The time at which the key was created.
    public let createdAt: Timestamp
    /// The time until which a retiring key is published; `nil` for keys with another status.
    ///
    /// It's also `nil` for a retiring key that signed a lease that never expires. Such a key is published until an
    /// operator withdraws the key.
    public var publishedUntil: Timestamp?
    /// The longest validity of any document, such as a lease, that the key may have signed, under all policies since it
    /// became primary.
    ///
    /// `nil` for a key that has signed nothing.
    public var span: SignedSpan?

    /// Creates the record of a key whose private seed is already encrypted.
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
    /// Reads a tenant's signing keys, oldest first. With `nil`, reads the keys of all tenants.
    public func signingKeys(of tenant: TenantID? = nil) async throws(Failure) -> [SigningKeyRecord] {
        guard let tenant else { return try await fetch(allKeys.bind())[allKeys.queries] }
        return try await fetch(ownKeys.bind(tenant))[ownKeys.queries]
    }
}

private let allKeys = QueryPlan { query in query.rows(SigningKeyRecord.byAge, upTo: .everything) }
private let ownKeys = QueryPlan(for: TenantID.self) { query in
    query.rows(SigningKeyRecord.ofTenant, upTo: .everything) { [.of($0)] }
}
