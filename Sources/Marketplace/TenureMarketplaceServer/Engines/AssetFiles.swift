import TenureCore
import TenureCrypto
import TenureFormats

/// The contents of a marketplace's certificate, key and PASK files.
struct AssetFiles: Sendable {
    /// The encryption certificate: `.cer` (DER) or PEM.
    var encryptionCertificate: [UInt8]
    /// The encryption certificate's private key: DER or PEM, without a password.
    var encryptionKey: [UInt8]
    /// The signing certificate: `.cer` (DER) or PEM.
    var signingCertificate: [UInt8]
    /// The signing certificate's private key, DER or PEM; `nil` if it is elsewhere, such as in a hardware module.
    var signingKey: [UInt8]?
    /// The PASK file: JSON with `authorizationKey`.
    var pask: [UInt8]
    /// The P-256 private key, DER or PEM, whose public key Apple has.
    var distributionKey: [UInt8]
    /// The distribution key's UUID in App Store Connect; install tokens contain it.
    var distributionKeyID: String

    /// Creates a value from the files' contents.
    init(
        encryptionCertificate: [UInt8], encryptionKey: [UInt8], signingCertificate: [UInt8], signingKey: [UInt8]?,
        pask: [UInt8], distributionKey: [UInt8], distributionKeyID: String
    ) {
        self.encryptionCertificate = encryptionCertificate
        self.encryptionKey = encryptionKey
        self.signingCertificate = signingCertificate
        self.signingKey = signingKey
        self.pask = pask
        self.distributionKey = distributionKey
        self.distributionKeyID = distributionKeyID
    }
}

extension SigningAssets {
    /// Imports a marketplace's real files; rejects all of them if one of them can't be used now.
    ///
    /// - Throws: `.badCertificate`, `.badKey`, `.notRSA3072`, `.certificateMismatch`, `.certificateExpired`,
    ///   `.certificateNotYetValid`, `.keySharedByPurposes` or `.badPASK`; the message names the file.
    static func imported(_ files: AssetFiles, now: Timestamp) throws(EngineError) -> SigningAssets {
        let encryption = try certificate(files.encryptionCertificate, named: "encryption", now)
        let signing = try certificate(files.signingCertificate, named: "signing", now)
        guard encryption.der != signing.der else {
            throw EngineError(
                .keySharedByPurposes,
                "encryption and signing use the same certificate; provide a separate certificate for each")
        }
        guard encryption.publicKey != signing.publicKey else {
            throw EngineError(
                .keySharedByPurposes,
                "the encryption and signing certificates have the same key; request a certificate with a separate key "
                    + "from Apple"
            )
        }
        return try SigningAssets(
            isSimulated: false,
            encryptionKey: EncryptionKey(
                certificate: encryption, privateKey: key(files.encryptionKey, named: "encryption")),
            signingKey: SigningKey(certificate: signing, privateKey: signingKey(files.signingKey)),
            pask: pask(files.pask),
            distributionKey: DistributionKey(
                id: files.distributionKeyID, privateKey: distributionKey(files.distributionKey)))
    }

    private static func certificate(
        _ bytes: [UInt8], named name: String, _ now: Timestamp
    ) throws(EngineError) -> X509Certificate {
        let certificate: X509Certificate
        do {
            certificate = try X509Certificate(bytes)
        } catch {
            throw EngineError(.badCertificate, "the file of the \(name) certificate can't be used", cause: error)
        }
        guard now.seconds <= certificate.notAfter else {
            let end = Timestamp(seconds: certificate.notAfter)
            throw EngineError(
                .certificateExpired, "the \(name) certificate expired on \(end); request a new one from Apple")
        }
        guard now.seconds >= certificate.notBefore else {
            let start = Timestamp(seconds: certificate.notBefore)
            throw EngineError(
                .certificateNotYetValid,
                "the \(name) certificate isn't valid until \(start); check this machine's clock")
        }
        return certificate
    }

    private static func key(_ bytes: [UInt8], named name: String) throws(EngineError) -> RSA.PrivateKey {
        do {
            return try RSA.PrivateKey(bytes)
        } catch {
            throw EngineError(.badKey, "the file of the \(name) key can't be used", cause: error)
        }
    }

    private static func signingKey(_ bytes: [UInt8]?) throws(EngineError) -> RSA.PrivateKey? {
        guard let bytes else { return nil }
        return try key(bytes, named: "signing")
    }

    private static func distributionKey(_ bytes: [UInt8]) throws(EngineError) -> P256.PrivateKey {
        do {
            return try P256.PrivateKey(bytes)
        } catch {
            throw EngineError(
                .badKey,
                "the distribution key can't be used: \(error.message); use the key whose public half is in App Store "
                    + "Connect",
                cause: error)
        }
    }

    private static func pask(_ bytes: [UInt8]) throws(EngineError) -> [UInt8] {
        let object: FlatObject
        do {
            object = try FlatObject(scanning: bytes)
        } catch {
            throw EngineError(
                .badPASK, "the PASK file is not a JSON object; use the file exactly as Apple provided it", cause: error)
        }
        guard let text = object.string("authorizationKey").value else {
            throw EngineError(
                .badPASK, "the PASK file has no string authorizationKey; use the file exactly as Apple provided it")
        }
        guard let key = Base64.decodeLenient(text), !key.isEmpty else {
            throw EngineError(
                .badPASK, "the PASK file's authorizationKey is not base64; use the file exactly as Apple provided it")
        }
        return key
    }
}
