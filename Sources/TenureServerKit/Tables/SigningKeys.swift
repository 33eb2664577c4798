public import TenureCore
public import TenureStore

/// A tenant's lease-signing key as it is stored: the private half sealed under the master key.
public struct SigningKeyRecord: Sendable, Hashable {
    /// What a key is used for.
    public enum Standing: String, Sendable, Hashable, CaseIterable {
        /// Signs, and is published.
        case primary
        /// Published until the leases it signed have lapsed; signs nothing.
        case retiring
        /// Neither published nor used.
        case retired
    }

    /// Whose key it is.
    public let tenant: TenantID
    /// Its name, unique in the tenant.
    public let kid: String
    /// What it is used for now.
    public var standing: Standing
    /// The raw public key, 32 bytes.
    public let publicKey: [UInt8]
    /// The private seed, sealed.
    public let sealedSeed: [UInt8]
    /// When it was made.
    public let createdAt: Timestamp
    /// When a retiring key stops being published; nil for others, and for one that stays until it is withdrawn because
    /// something that it signed has no end.
    public var publishedUntil: Timestamp?
    /// The longest that anything may hold which it signed, as far as any policy allowed since it began to sign. Nil for a
    /// key that signs nothing yet, and for one that began before this was kept.
    public var span: SignedSpan?

    /// Puts a record together.
    public init(
        tenant: TenantID, kid: String, standing: Standing, publicKey: [UInt8], sealedSeed: [UInt8],
        createdAt: Timestamp, publishedUntil: Timestamp?, span: SignedSpan? = nil
    ) {
        self.tenant = tenant
        self.kid = kid
        self.standing = standing
        self.publicKey = publicKey
        self.sealedSeed = sealedSeed
        self.createdAt = createdAt
        self.publishedUntil = publishedUntil
        self.span = span
    }
}

extension SigningKeyRecord.Standing: StorableCode {}

extension SigningKeyRecord: Stored {
    /// Keys that sign leases.
    public static let table = Table<SigningKeyRecord>(
        "signing_keys", key: ["tenant", "kid"],
        [
            Field("tenant") { $0.tenant }, Field("kid") { $0.kid }, Field("standing") { $0.standing },
            Field("public_key") { $0.publicKey }, Field("sealed_seed") { $0.sealedSeed },
            Field("created_at") { $0.createdAt }, Field("published_until") { $0.publishedUntil },
            Field("span_days") { $0.span?.days },
        ],
        parents: [TenantRow.table.shape], changesAlone: true
    ) { row throws(StoreError) in
        SigningKeyRecord(
            tenant: try row.next(), kid: try row.next(), standing: try row.next(), publicKey: try row.next(),
            sealedSeed: try row.next(), createdAt: try row.next(), publishedUntil: try row.next(),
            span: try row.next(Int?.self).map { SignedSpan(days: $0) })
    }

    /// All of them, the oldest first.
    public static let byAge = table.set("by_age", order: [.up("created_at")])
    /// A tenant's, the oldest first.
    public static let ofTenant = table.set("of_tenant", "tenant", order: [.up("created_at")])
}

extension Store {
    /// Reads the signing keys of a tenant, or of all, oldest first.
    public func signingKeys(of tenant: TenantID? = nil) async throws(StoreError) -> [SigningKeyRecord] {
        guard let tenant else { return try await look(allKeys.asked())[allKeys.looks] }
        return try await look(ownKeys.asked(.of(tenant)))[ownKeys.looks]
    }
}

private let allKeys = LoadForm { ask in ask.rows(SigningKeyRecord.byAge, upTo: Asking.everything) }
private let ownKeys = LoadForm { ask in ask.rows(SigningKeyRecord.ofTenant, upTo: Asking.everything) }
