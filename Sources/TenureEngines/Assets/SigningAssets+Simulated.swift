public import TenureCore
import TenureCrypto

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
                pask: SecureRandom.bytes(32), distributionKey: DistributionKey(privateKey: P256.PrivateKey.generate()))
        } catch let error as EngineError {
            throw error
        } catch {
            throw EngineError(.engineFailed, "simulated keys could not be made", cause: error)
        }
    }

    private static func certificate(
        _ name: String, _ usage: X509Certificate.Usage, _ key: RSA.PrivateKey, _ now: Timestamp
    ) throws(CryptoError) -> X509Certificate {
        let day: Int64 = 86_400
        return try X509Certificate.selfSigned(
            commonName: name, usage: usage, key: key, notBefore: max(0, now.seconds - day), validSeconds: 3651 * day)
    }
}
