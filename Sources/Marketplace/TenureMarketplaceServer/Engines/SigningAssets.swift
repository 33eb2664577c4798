import TenureCore
import TenureCrypto

/// The keys and certificates that a marketplace uses to license apps.
///
/// Everything except certificates and ids is secret.
struct SigningAssets: Sendable, CustomStringConvertible {
    /// Whether Tenure generated the assets. No iPhone accepts licenses or tokens that they sign.
    let isSimulated: Bool

    /// The keys that decrypt requests: the current key, whose certificate is served, then older keys.
    let encryptionKeys: [EncryptionKey]

    /// The key that signs licenses.
    let signingKey: SigningKey

    /// The secret that protects key blobs in transit, Apple's PASK.
    let pask: [UInt8]

    /// The key that signs install tokens.
    let distributionKey: DistributionKey

    /// Creates assets. Devices get the certificate of `encryptionKey`.
    ///
    /// - Throws: `.badPASK` if the PASK is empty.
    init(
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

    /// The key whose certificate is served to devices.
    var encryptionKey: EncryptionKey { encryptionKeys[0] }

    /// All private keys that can decrypt a ``RequestEnvelope``, the current one first.
    var decryptionKeys: [RSA.PrivateKey] { encryptionKeys.map(\.privateKey) }

    /// Returns these assets with the former assets' encryption keys appended, for devices that still use an old
    /// certificate.
    func keepingEncryptionKeys(of former: SigningAssets) throws(EngineError) -> SigningAssets {
        var older = Array(encryptionKeys.dropFirst())
        for key in former.encryptionKeys where !older.contains(where: { $0.id == key.id }) { older.append(key) }
        return try SigningAssets(
            isSimulated: isSimulated, encryptionKey: encryptionKey, olderEncryptionKeys: older, signingKey: signingKey,
            pask: pask, distributionKey: distributionKey)
    }

    /// The ids of the keys, without anything secret.
    var description: String {
        "SigningAssets(encryption: \(encryptionKeys.map(\.id)), signing: \(signingKey.id), "
            + "distribution: \(distributionKey.id))"
    }

}

extension SigningAssets.SigningKey {
    /// Selects how licenses are signed: by the signer if there is one, otherwise with this key.
    ///
    /// - Throws: `.notSigned` if there is no signer and this key has no private part.
    func signing(_ signer: (any AppLicenseSigner)?) throws(EngineError) -> AppLicenseSigning {
        if let signer { return .signer(signer) }
        guard let privateKey else {
            throw EngineError(.notSigned, "the private key of signing certificate \(id) is missing; provide a signer")
        }
        return .key(privateKey)
    }
}

extension SigningAssets {
    /// Generates simulated assets: RSA-3072 keys with self-signed certificates, a random PASK and a distribution key.
    ///
    /// The certificates are valid from one day before `now`, for devices whose clocks are slow, to ten years after it.
    /// Generation takes about a second.
    ///
    /// - Throws: `.engineFailed`.
    static func makeSimulated(now: Timestamp) throws(EngineError) -> SigningAssets {
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
            throw EngineError(.engineFailed, "simulated keys couldn't be created", cause: error)
        }
    }

    /// A random UUID, like the ids that App Store Connect assigns to keys.
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
