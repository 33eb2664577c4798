package import TenureCore
public import TenureCrypto

/// A tenant's decrypted Ed25519 key for signing leases.
public struct LeaseKey: Sendable {
    /// The key's name, which is the `kid` in every lease that the key signs.
    public let kid: String
    /// The private key, which contains the public key.
    public let privateKey: Ed25519.PrivateKey
    /// The record from which the key was decrypted.
    public let record: SigningKeyRecord

    /// Decrypts a stored key.
    ///
    /// Throws `.notOpened` if the key was encrypted under another master key.
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

    /// Returns the number of a tenant's next key: one more than the highest number among the existing keys.
    package static func nextNumber(beside others: [SigningKeyRecord]) -> Int {
        (others.compactMap { number(of: $0.kid) }.max() ?? 0) + 1
    }

    /// Returns the number in a key's name: 3 in `k3-q7d2` and in `k3`; `nil` if the name has none.
    package static func number(of kid: String) -> Int? {
        Int(String(decoding: kid.utf8.dropFirst().prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
    }

    /// Returns a new name for the key with this number, such as `k3-q7d2`.
    ///
    /// A store that was restored from an older backup assigns some numbers again. An app rejects a key that has the
    /// name of another trusted key, so random characters make the names different.
    package static func newName(numbered number: Int, using generator: inout some RandomNumberGenerator) -> String {
        let ending = (0..<4).map { _ in nameCharacters[Int.random(in: 0..<32, using: &generator)] }
        return "k\(number)-\(String(decoding: ending, as: UTF8.self))"
    }

    /// The digits of Crockford's base 32, in lower case.
    private static let nameCharacters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Creates a primary key for a tenant, encrypted under the master key. It can be decrypted only for the same
    /// tenant and name.
    package static func make(
        for tenant: TenantID, named kid: String, under master: MasterKey, at now: Timestamp
    ) throws(CryptoError) -> SigningKeyRecord {
        let privateKey = Ed25519.PrivateKey.generate()
        return SigningKeyRecord(
            tenant: tenant, kid: kid, status: .primary, publicKey: privateKey.publicKey.bytes,
            sealedSeed: try master.seal(seed: privateKey.seed, of: tenant, kid: kid), createdAt: now,
            publishedUntil: nil)
    }
}
