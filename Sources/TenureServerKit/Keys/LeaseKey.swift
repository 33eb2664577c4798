package import TenureCore
public import TenureCrypto

/// A tenant's Ed25519 key for leases, opened: its name, its standing and its private half.
public struct LeaseKey: Sendable {
    /// Its name, the `kid` of every lease it signs.
    public let kid: String
    /// The private half; it knows the public one.
    public let privateKey: Ed25519.PrivateKey
    /// The record it was opened from.
    public let record: SigningKeyRecord

    /// Opens a stored key; throws `.notOpened` when the master key is another one.
    public init(_ record: SigningKeyRecord, under master: MasterKey) throws(CryptoError) {
        let seed = try master.open(sealedSeed: record.sealedSeed, of: record.tenant, kid: record.kid)
        privateKey = try Ed25519.PrivateKey(seed: seed)
        kid = record.kid
        self.record = record
    }

    /// A stored key whose private half is open already.
    init(_ record: SigningKeyRecord, opened: LeaseKey) {
        privateKey = opened.privateKey
        kid = record.kid
        self.record = record
    }

    /// The name of the next key; it counts on from the names there are: `k1`, `k2`, ...
    package static func nextName(beside others: [SigningKeyRecord]) -> String {
        let numbers = others.compactMap { Int($0.kid.dropFirst()) }
        return "k\((numbers.max() ?? 0) + 1)"
    }

    /// Makes a new key for a tenant, sealed under the master key and this name, to sign from now on.
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
