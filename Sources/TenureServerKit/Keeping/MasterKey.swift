package import TenureCore
public import TenureCrypto

/// The key that all private keys at rest are sealed under: 256 random bits from a file beside the data (design §8).
public struct MasterKey: Sendable {
    private let cipher: AES256GCM

    /// By what others than their own devices know activations; the same as long as the key is.
    public let names: PublicNames

    /// What the server vouches with for what it gave away and does not keep; nothing else is made with it.
    package let vouching: [UInt8]

    /// Takes the 32 bytes; another number of bytes throws `.wrongLength`.
    public init(bytes: [UInt8]) throws(CryptoError) {
        cipher = try AES256GCM(key: bytes)
        names = try PublicNames(under: bytes)
        vouching = try HKDFSHA256.key(from: bytes, salt: [], purpose: Array("tenure vouching".utf8), length: 32)
    }

    /// Seals the seed of a tenant's signing key, bound to the tenant and the key's name.
    package func seal(seed: [UInt8], of tenant: TenantID, kid: String) throws(CryptoError) -> [UInt8] {
        try cipher.seal(seed, authenticating: Self.label(tenant, kid))
    }

    /// Opens such a seed; throws `.notOpened` when it was sealed under another key, or for another name.
    package func open(sealedSeed: [UInt8], of tenant: TenantID, kid: String) throws(CryptoError) -> [UInt8] {
        try cipher.open(sealedSeed, authenticating: Self.label(tenant, kid))
    }

    /// Seals an answer that is kept to be given again, bound to its request.
    package func seal(answer: [UInt8], to request: Digest) throws(ServerError) -> [UInt8] {
        do throws(CryptoError) {
            return try cipher.seal(answer, authenticating: Self.answerLabel + request.bytes)
        } catch {
            throw ServerError(.crypto, "An answer could not be sealed.", cause: error.code.text)
        }
    }

    /// Opens such an answer; throws `master_key_wrong` when it was sealed under another key.
    package func open(sealedAnswer: [UInt8], to request: Digest) throws(ServerError) -> [UInt8] {
        do throws(CryptoError) {
            return try cipher.open(sealedAnswer, authenticating: Self.answerLabel + request.bytes)
        } catch {
            throw ServerError(.masterKeyWrong, "A remembered answer cannot be opened under this master key.")
        }
    }

    /// Seals a secret, bound to a label that says whose it is and what for.
    package func seal(_ secret: [UInt8], labelled label: String) throws(CryptoError) -> [UInt8] {
        try cipher.seal(secret, authenticating: Array(label.utf8))
    }

    /// Opens such a secret; throws `.notOpened` when it was sealed under another key or label.
    package func open(_ sealed: [UInt8], labelled label: String) throws(CryptoError) -> [UInt8] {
        try cipher.open(sealed, authenticating: Array(label.utf8))
    }

    /// Makes a value that only this master key opens; a store keeps it to recognise the key.
    public func checkValue() throws(CryptoError) -> [UInt8] {
        try cipher.seal(Array("tenure".utf8), authenticating: Self.checkLabel)
    }

    /// Whether the value was made by this master key.
    public func matches(checkValue: [UInt8]) -> Bool {
        (try? cipher.open(checkValue, authenticating: Self.checkLabel)) != nil
    }

    /// Where a store keeps the check value.
    public static let checkValueSetting = "master_key_check"

    private static let answerLabel = Array("tenure answer|".utf8)
    private static let checkLabel = Array("tenure master key check".utf8)

    private static func label(_ tenant: TenantID, _ kid: String) -> [UInt8] {
        Array("tenure signing key|\(tenant)|\(kid)".utf8)
    }
}
