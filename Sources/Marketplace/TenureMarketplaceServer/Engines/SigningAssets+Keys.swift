import TenureCrypto
import TenureFormats

extension SigningAssets {
    /// A key that devices encrypt their requests to.
    struct EncryptionKey: Sendable {
        /// The key's id: 16 hexadecimal digits of the certificate's SHA-256.
        let id: String
        /// The certificate that is served to devices.
        let certificate: X509Certificate
        /// The key that decrypts requests.
        let privateKey: RSA.PrivateKey

        /// Creates a pair of a certificate and its matching private key.
        ///
        /// - Throws: `.notRSA3072`, `.certificateMismatch`.
        init(certificate: X509Certificate, privateKey: RSA.PrivateKey) throws(EngineError) {
            try SigningAssets.check(certificate, for: privateKey, named: "encryption")
            id = KeyID.of(certificate.der)
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// The key that signs licenses.
    struct SigningKey: Sendable {
        /// The key's id: 16 hexadecimal digits of the certificate's SHA-256.
        let id: String
        /// The certificate that is served to devices.
        let certificate: X509Certificate
        /// The private key; `nil` if an ``AppLicenseSigner`` has it.
        let privateKey: RSA.PrivateKey?

        /// Creates a pair of a certificate and its matching private key, or a certificate whose key is elsewhere.
        ///
        /// - Throws: `.notRSA3072`, `.certificateMismatch`.
        init(certificate: X509Certificate, privateKey: RSA.PrivateKey?) throws(EngineError) {
            try SigningAssets.check(certificate, for: privateKey, named: "signing")
            id = KeyID.of(certificate.der)
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// The key that signs a marketplace's install tokens; Apple has its public key.
    struct DistributionKey: Sendable {
        /// The key's UUID in App Store Connect; install tokens contain it.
        let id: String
        let privateKey: P256.PrivateKey

        init(id: String, privateKey: P256.PrivateKey) {
            self.id = id
            self.privateKey = privateKey
        }
    }

    private static func check(
        _ certificate: X509Certificate, for key: RSA.PrivateKey?, named name: String
    ) throws(EngineError) {
        for (what, bits) in [("certificate", certificate.modulusBits), ("key", key?.modulusBits ?? 3072)]
        where bits != 3072 {
            throw EngineError(
                .notRSA3072, "the \(name) \(what) uses RSA with \(bits) bits; Apple's licensing accepts only 3072 bits")
        }
        if let key, !certificate.matches(key) {
            throw EngineError(
                .certificateMismatch,
                "the \(name) certificate doesn't match the \(name) key; check that the files of the two pairs aren't "
                    + "mixed up"
            )
        }
    }
}

/// Key ids as used in URLs, logs and files.
enum KeyID {
    /// The first 8 bytes of the SHA-256 of the DER, in lower-case hexadecimal.
    ///
    /// The DER is that of a certificate, or of a public key that has no certificate.
    static func of(_ der: [UInt8]) -> String {
        Hex.encode(Array(SHA256.hash(der).prefix(8)))
    }
}
