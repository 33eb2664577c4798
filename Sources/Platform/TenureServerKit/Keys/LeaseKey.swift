package import TenureCore
public import TenureCrypto

/// A tenant's decrypted Ed25519 key for signing leases.
public struct LeaseKey: Sendable {
    /// The key's name, which is the `kid` of every lease that it signs.
    public let kid: String
    /// The private key, which contains the public key.
    public let privateKey: Ed25519.PrivateKey
    /// The record from which it was decrypted.
    public let record: SigningKeyRecord

    /// Decrypts a stored key.
    ///
    /// Throws `.notOpened` if another master key encrypted it.
    public init(_ record: SigningKeyRecord, under master: MasterKey) throws(CryptoError) {
        let seed = try master.open(sealedSeed: record.sealedSeed, of: record.tenant, kid: record.kid)
        privateKey = try Ed25519.PrivateKey(seed: seed)
        kid = record.kid
        self.record = record
    }

    /// Reuses a private key that is already decrypted.
    init(_ record: SigningKeyRecord, opened: LeaseKey) {
        privateKey = opened.privateKey
        kid = record.kid
        self.record = record
    }

    /// Returns the name of a tenant's next key: `k` and one more than the highest number of these keys.
    package static func nextName(beside others: [SigningKeyRecord]) -> String {
        let numbers = others.compactMap { Int($0.kid.dropFirst()) }
        return "k\((numbers.max() ?? 0) + 1)"
    }

    /// Creates a primary key for a tenant, encrypted under the master key; it can be decrypted only under this name.
    package static func make(
        for tenant: TenantID, named kid: String, under master: MasterKey, at now: Timestamp
    ) throws(CryptoError) -> SigningKeyRecord {
        let privateKey = Ed25519.PrivateKey.generate()
        return SigningKeyRecord(
            tenant: tenant, kid: kid, standing: .primary, publicKey: privateKey.publicKey.bytes,
            sealedSeed: try master.seal(seed: privateKey.seed, of: tenant, kid: kid), createdAt: now,
            publishedUntil: nil)
    }
}
