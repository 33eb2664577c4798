package import TenureCore
public import TenureCrypto

/// The key that encrypts all private keys and other secrets in the store: 256 random bits, read from a file.
public struct MasterKey: Sendable {
    private let cipher: AES256GCM

    /// Converts between activations' ids and their public ids, with a secret derived from the key.
    public let names: PublicNames

    /// A derived key that is used only to authenticate values that the server issues but doesn't store.
    package let vouching: [UInt8]

    /// Creates a key from 32 bytes; throws `.wrongLength` for any other number of bytes.
    public init(bytes: [UInt8]) throws(CryptoError) {
        cipher = try AES256GCM(key: bytes)
        names = try PublicNames(under: bytes)
        vouching = try HKDFSHA256.key(from: bytes, salt: [], purpose: Array("tenure vouching".utf8), length: 32)
    }

    /// Encrypts the private seed of a tenant's signing key, bound to the tenant and the key's name.
    package func seal(seed: [UInt8], of tenant: TenantID, kid: String) throws(CryptoError) -> [UInt8] {
        try cipher.seal(seed, authenticating: Self.label(tenant, kid))
    }

    /// Decrypts the private seed of a tenant's signing key.
    ///
    /// Throws `.notOpened` if it was encrypted under another master key, or for another tenant or name.
    package func open(sealedSeed: [UInt8], of tenant: TenantID, kid: String) throws(CryptoError) -> [UInt8] {
        try cipher.open(sealedSeed, authenticating: Self.label(tenant, kid))
    }

    /// Encrypts a response that is stored for repeated requests, bound to the digest of its request.
    package func seal(answer: [UInt8], to request: Digest) throws(ServerError) -> [UInt8] {
        do throws(CryptoError) {
            return try cipher.seal(answer, authenticating: Self.answerLabel + request.bytes)
        } catch {
            throw ServerError(.crypto, "A stored response couldn't be encrypted.", cause: error.code.text)
        }
    }

    /// Decrypts a response that is stored for repeated requests.
    ///
    /// Throws `master_key_wrong` if it was encrypted under another master key or for another request.
    package func open(sealedAnswer: [UInt8], to request: Digest) throws(ServerError) -> [UInt8] {
        do throws(CryptoError) {
            return try cipher.open(sealedAnswer, authenticating: Self.answerLabel + request.bytes)
        } catch {
            throw ServerError(.masterKeyWrong, "A stored response can't be decrypted with this master key.")
        }
    }

    /// Encrypts a secret, bound to a label that names its owner and purpose.
    package func seal(_ secret: [UInt8], labelled label: String) throws(CryptoError) -> [UInt8] {
        try cipher.seal(secret, authenticating: Array(label.utf8))
    }

    /// Decrypts a secret that is bound to a label.
    ///
    /// Throws `.notOpened` if it was encrypted under another master key or label.
    package func open(_ sealed: [UInt8], labelled label: String) throws(CryptoError) -> [UInt8] {
        try cipher.open(sealed, authenticating: Array(label.utf8))
    }

    /// Creates a value that only this key can decrypt.
    ///
    /// It's saved in a store, so that a server notices if it's started with a wrong master key.
    public func checkValue() throws(CryptoError) -> [UInt8] {
        try cipher.seal(Array("tenure".utf8), authenticating: Self.checkLabel)
    }

    /// Whether the value was created by this master key.
    public func matches(checkValue: [UInt8]) -> Bool {
        (try? cipher.open(checkValue, authenticating: Self.checkLabel)) != nil
    }

    /// The name of the setting that holds the check value.
    public static let checkValueSetting = "master_key_check"

    private static let answerLabel = Array("tenure answer|".utf8)
    private static let checkLabel = Array("tenure master key check".utf8)

    private static func label(_ tenant: TenantID, _ kid: String) -> [UInt8] {
        Array("tenure signing key|\(tenant)|\(kid)".utf8)
    }
}
