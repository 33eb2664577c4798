public import TenureCore
public import TenureStore

extension SigningKeyRecord {
    /// A tenant's next lease-signing key, which doesn't sign yet.
    ///
    /// It's published in advance, so that apps can be built with it.
    public struct Prepared: Sendable, Hashable {
        /// The tenant that the key belongs to. A tenant has at most one prepared key.
        public let tenant: TenantID
        /// The key's name (`kid`), which is unique among all keys of the tenant.
        public let kid: String
        /// The raw Ed25519 public key, 32 bytes.
        public let publicKey: [UInt8]
        /// The private seed, encrypted under the master key.
        public let sealedSeed: [UInt8]
        /// The time at which the key was created.
        public let createdAt: Timestamp

        /// Creates the record of a key whose private seed is already encrypted.
        public init(tenant: TenantID, kid: String, publicKey: [UInt8], sealedSeed: [UInt8], createdAt: Timestamp) {
            self.tenant = tenant
            self.kid = kid
            self.publicKey = publicKey
            self.sealedSeed = sealedSeed
            self.createdAt = createdAt
        }

        /// Creates a prepared key from a new signing key that hasn't been used yet.
        package init(_ key: SigningKeyRecord) {
            self.init(
                tenant: key.tenant, kid: key.kid, publicKey: key.publicKey, sealedSeed: key.sealedSeed,
                createdAt: key.createdAt)
        }

        /// The signing key that the prepared key becomes, with the status `primary`.
        package var promoted: SigningKeyRecord {
            SigningKeyRecord(
                tenant: tenant, kid: kid, status: .primary, publicKey: publicKey, sealedSeed: sealedSeed,
                createdAt: createdAt, publishedUntil: nil)
        }
    }
}

extension SigningKeyRecord.Prepared: Stored {
    /// The prepared keys, at most one per tenant.
    public static let table = Table<SigningKeyRecord.Prepared>(
        "prepared_keys", key: ["tenant"],
        [
            Field("tenant") { $0.tenant }, Field("kid") { $0.kid }, Field("public_key") { $0.publicKey },
            Field("sealed_seed") { $0.sealedSeed }, Field("created_at") { $0.createdAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true
    ) { row in
        SigningKeyRecord.Prepared(
            tenant: try row.next(), kid: try row.next(), publicKey: try row.next(), sealedSeed: try row.next(),
            createdAt: try row.next())
    }
}

extension RecordStore {
    /// Reads a tenant's prepared key, if it has one. With `nil`, reads the prepared keys of all tenants.
    public func preparedKeys(of tenant: TenantID? = nil) async throws(Failure) -> [SigningKeyRecord.Prepared] {
        guard let tenant else { return try await fetch(allPrepared.bind())[allPrepared.queries] }
        return try await fetch(ownPrepared.bind(tenant))[ownPrepared.queries].map { [$0] } ?? []
    }
}

private let allPrepared = QueryPlan { query in query.rows(SigningKeyRecord.Prepared.table.all, upTo: .everything) }
private let ownPrepared = QueryPlan(for: TenantID.self) { query in
    query.row(SigningKeyRecord.Prepared.table.key) { [.of($0)] }
}
