public import TenureCore
public import TenureCrypto

/// The keys and certificates that a marketplace licenses apps with (design §8). All of its private parts are secrets.
public struct SigningAssets: Sendable, CustomStringConvertible {
    /// Whether they were made here: no iPhone accepts them.
    public let isSimulated: Bool

    /// The keys that open requests: the one whose certificate is served, then older ones.
    public let encryptionKeys: [EncryptionKey]

    /// The key that signs licenses.
    public let signingKey: SigningKey

    /// The secret under which key blobs travel, Apple's PASK.
    public let pask: [UInt8]

    /// The key that signs install tokens.
    public let distributionKey: DistributionKey

    /// Puts assets together; the first encryption key is the one whose certificate is served.
    ///
    /// Throws: `.badPASK` when it is empty.
    public init(
        isSimulated: Bool, encryptionKey: EncryptionKey, olderEncryptionKeys: [EncryptionKey] = [],
        signingKey: SigningKey, pask: [UInt8], distributionKey: DistributionKey
    ) throws(EngineError) {
        guard !pask.isEmpty else {
            throw EngineError(.badPASK, "the PASK is empty; download it again from Apple")
        }
        self.isSimulated = isSimulated
        encryptionKeys = [encryptionKey] + olderEncryptionKeys.filter { $0.id != encryptionKey.id }
        self.signingKey = signingKey
        self.pask = pask
        self.distributionKey = distributionKey
    }

    /// The key whose certificate devices are served.
    public var encryptionKey: EncryptionKey { encryptionKeys[0] }

    /// What a ``RequestEnvelope`` is opened with: every private key, whatever its age.
    public var decryptionKeys: [RSA.PrivateKey] { encryptionKeys.map(\.privateKey) }

    /// These assets, with the encryption keys of former ones behind their own: devices may still use the old certificate.
    public func keepingEncryptionKeys(of former: SigningAssets) throws(EngineError) -> SigningAssets {
        var older = Array(encryptionKeys.dropFirst())
        for key in former.encryptionKeys where !older.contains(where: { $0.id == key.id }) { older.append(key) }
        return try SigningAssets(
            isSimulated: isSimulated, encryptionKey: encryptionKey, olderEncryptionKeys: older, signingKey: signingKey,
            pask: pask, distributionKey: distributionKey)
    }

    /// Names the keys and nothing of their secrets.
    public var description: String {
        "SigningAssets(encryption: \(encryptionKeys.map(\.id)), signing: \(signingKey.id), "
            + "distribution: \(distributionKey.id))"
    }

    /// Who signs: the signer, if there is one, else the key that is here.
    func signing(_ signer: (any AppLicenseSigner)?) throws(EngineError) -> AppLicenseSigning {
        if let signer { return .signer(signer) }
        guard let key = signingKey.privateKey else {
            throw EngineError(
                .notSigned, "the private key of signing certificate \(signingKey.id) is not here; give a signer")
        }
        return .key(key)
    }
}

extension SigningAssets {
    /// Makes assets for a marketplace that has none: RSA-3072 keys with self-signed certificates, a random PASK, and a
    /// distribution key.
    ///
    /// The certificates are valid from a day before `now`, for devices whose clocks are behind, to ten years after it.
    /// Takes a second or so.
    ///
    /// Throws: `.engineFailed`.
    public static func makeSimulated(now: Timestamp) throws(EngineError) -> SigningAssets {
        do {
            let encryption = try RSA.PrivateKey.generate()
            let signing = try RSA.PrivateKey.generate()
            return try SigningAssets(
                isSimulated: true,
                encryptionKey: EncryptionKey(
                    certificate: certificate("Tenure simulated encryption", .encryption, encryption, now),
                    privateKey: encryption),
                signingKey: SigningKey(
                    certificate: certificate("Tenure simulated signing", .signing, signing, now), privateKey: signing),
                pask: SecureRandom.bytes(32),
                distributionKey: DistributionKey(
                    id: keyID(), privateKey: P256.PrivateKey.generate()))
        } catch let error as EngineError {
            throw error
        } catch {
            throw EngineError(.engineFailed, "simulated keys could not be made", cause: error)
        }
    }

    /// A random UUID, such as App Store Connect gives its keys.
    private static func keyID() -> String {
        var random = SecureRandom()
        return ActivationID.random(using: &random).description
    }

    private static func certificate(
        _ name: String, _ usage: X509Certificate.Usage, _ key: RSA.PrivateKey, _ now: Timestamp
    ) throws(CryptoError) -> X509Certificate {
        let day: Int64 = 86_400
        return try X509Certificate.selfSigned(
            commonName: name, usage: usage, key: key, notBefore: max(0, now.seconds - day), validSeconds: 3651 * day)
    }
}
