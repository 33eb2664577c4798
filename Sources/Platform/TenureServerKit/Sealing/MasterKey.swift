package import TenureCore
public import TenureCrypto
import TenureFormats

/// The key that encrypts all private keys and other secrets in the store: 256 random bits, read from a file.
public struct MasterKey: Sendable {
    private let cipher: AES256GCM
    /// Distinguishes keys without revealing them.
    private let id: Digest
    /// The store's former or next keys, which only decrypt.
    private var others: [MasterKey] = []

    /// Creates a key from 32 bytes. Throws `.wrongLength` for any other number of bytes.
    public init(bytes: [UInt8]) throws(CryptoError) {
        cipher = try AES256GCM(key: bytes)
        id = .sha256(of: Array("tenure master key id|".utf8) + bytes)
    }

    /// Returns a combination of this key, which encrypts, and other keys, which only decrypt.
    package func decrypting(with keys: [MasterKey]) -> MasterKey {
        var joined = self
        for key in keys.flatMap(\.alone) where key.id != id && !joined.others.contains(where: { $0.id == key.id }) {
            joined.others.append(key)
        }
        return joined
    }

    /// The keys of this combination, starting with the key that encrypts.
    package var alone: [MasterKey] {
        var own = self
        own.others = []
        return [own] + others
    }

    /// Whether both values encrypt with the same key.
    package func encrypts(like other: MasterKey) -> Bool { id == other.id }

    /// Identifies the key that encrypts, without revealing it.
    var identifier: String { Hex.encode(Array(id.bytes.prefix(8))) }

    private func open(_ sealed: [UInt8], authenticating label: [UInt8]) throws(CryptoError) -> [UInt8] {
        do throws(CryptoError) {
            return try cipher.open(sealed, authenticating: label)
        } catch {
            for key in others {
                if let opened = try? key.cipher.open(sealed, authenticating: label) { return opened }
            }
            throw error
        }
    }

    /// Encrypts the secret of a row. The result can be decrypted only for the same row.
    package func seal(_ secret: [UInt8], of row: some SealedRow) throws(CryptoError) -> [UInt8] {
        try cipher.seal(secret, authenticating: row.sealLabel)
    }

    /// Decrypts the secret of a row; `nil` if the row has no secret.
    ///
    /// Throws `.notOpened` if the secret was encrypted under another master key or for another row.
    package func open(_ row: some SealedRow) throws(CryptoError) -> [UInt8]? {
        guard let sealed = row.sealedBytes else { return nil }
        return try open(sealed, authenticating: row.sealLabel)
    }

    /// Encrypts the private seed of a tenant's signing key. The result can be decrypted only for the same tenant and
    /// key name.
    package func seal(seed: [UInt8], of tenant: TenantID, kid: String) throws(CryptoError) -> [UInt8] {
        try cipher.seal(seed, authenticating: Self.seedLabel(tenant, kid))
    }

    /// Decrypts the private seed of a tenant's signing key.
    ///
    /// Throws `.notOpened` if the seed was encrypted under another master key, or for another tenant or key name.
    package func open(sealedSeed: [UInt8], of tenant: TenantID, kid: String) throws(CryptoError) -> [UInt8] {
        try open(sealedSeed, authenticating: Self.seedLabel(tenant, kid))
    }

    /// Encrypts a response that is stored for repeated requests. The result can be decrypted only for the same request
    /// digest.
    package func seal(answer: [UInt8], to request: Digest) throws(ServerError) -> [UInt8] {
        do throws(CryptoError) {
            return try cipher.seal(answer, authenticating: Self.answerLabel(request))
        } catch {
            throw ServerError(.crypto, "A stored response couldn't be encrypted.", cause: error.code.text)
        }
    }

    /// Decrypts a response that is stored for repeated requests.
    ///
    /// Throws `master_key_wrong` if the response was encrypted under another master key or for another request.
    package func open(sealedAnswer: [UInt8], to request: Digest) throws(ServerError) -> [UInt8] {
        do throws(CryptoError) {
            return try open(sealedAnswer, authenticating: Self.answerLabel(request))
        } catch {
            throw ServerError(.masterKeyWrong, "A stored response can't be decrypted with this master key.")
        }
    }

    /// Encrypts a secret. The result can be decrypted only with the same label, which names the secret's owner and
    /// purpose.
    package func seal(_ secret: [UInt8], labelled label: [UInt8]) throws(CryptoError) -> [UInt8] {
        try cipher.seal(secret, authenticating: label)
    }

    /// Decrypts a secret that was encrypted with a label.
    ///
    /// Throws `.notOpened` if the secret was encrypted under another master key or with another label.
    package func open(_ sealed: [UInt8], labelled label: [UInt8]) throws(CryptoError) -> [UInt8] {
        try open(sealed, authenticating: label)
    }

    /// Creates a value that only this key can decrypt.
    ///
    /// The store contains this check value, so that a server that starts with a wrong master key reports an error.
    public func checkValue() throws(CryptoError) -> [UInt8] {
        try cipher.seal(Array("tenure".utf8), authenticating: Self.checkLabel)
    }

    /// Whether the check value was created by the key that encrypts.
    public func matches(checkValue: [UInt8]) -> Bool {
        (try? cipher.open(checkValue, authenticating: Self.checkLabel)) != nil
    }

    /// The name of the setting that contains the check value.
    public static let checkValueSetting = "master_key_check"

    private static let checkLabel = Array("tenure master key check".utf8)

    static func answerLabel(_ request: Digest) -> [UInt8] { Array("tenure answer|".utf8) + request.bytes }

    static func seedLabel(_ tenant: TenantID, _ kid: String) -> [UInt8] {
        Array("tenure signing key|\(tenant)|\(kid)".utf8)
    }
}
