public import TenureCrypto
import TenureFormats

extension SigningAssets {
    /// A key that requests are encrypted to.
    public struct EncryptionKey: Sendable {
        /// Names it: 16 hexadecimal digits of the certificate's SHA-256.
        public let id: String
        /// What devices are served.
        public let certificate: X509Certificate
        /// What opens requests.
        public let privateKey: RSA.PrivateKey

        /// Puts a pair together.
        ///
        /// Throws: `.notRSA3072`, `.certificateMismatch`.
        public init(certificate: X509Certificate, privateKey: RSA.PrivateKey) throws(EngineError) {
            try SigningAssets.check(certificate, for: privateKey, named: "encryption")
            id = KeyID.of(certificate.der)
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// The key that licenses are signed with.
    public struct SigningKey: Sendable {
        /// Names it: 16 hexadecimal digits of the certificate's SHA-256.
        public let id: String
        /// What devices are served.
        public let certificate: X509Certificate
        /// What signs; nil when an ``AppLicenseSigner`` elsewhere has it.
        public let privateKey: RSA.PrivateKey?

        /// Puts a pair together, or takes a certificate alone whose key lies elsewhere.
        ///
        /// Throws: `.notRSA3072`, `.certificateMismatch`.
        public init(certificate: X509Certificate, privateKey: RSA.PrivateKey?) throws(EngineError) {
            try SigningAssets.check(certificate, for: privateKey, named: "signing")
            id = KeyID.of(certificate.der)
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// The key that a marketplace's install tokens are signed with; Apple knows its public half.
    public struct DistributionKey: Sendable {
        /// Names it in install tokens: the UUID that App Store Connect has for the key.
        public let id: String
        /// What signs.
        public let privateKey: P256.PrivateKey

        /// Names a key.
        public init(id: String, privateKey: P256.PrivateKey) {
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
                .notRSA3072, "the \(name) \(what) has RSA with \(bits) bits; Apple's licensing takes 3072 and no other")
        }
        if let key, !certificate.matches(key) {
            throw EngineError(
                .certificateMismatch,
                "the \(name) certificate is not the \(name) key's; are files of the two pairs mixed up?")
        }
    }
}

/// How a key is named in URLs, logs and files.
enum KeyID {
    /// The first 8 bytes of the SHA-256 of a certificate's (or, without one, a public key's) DER, in lower-case hexadecimal.
    static func of(_ der: [UInt8]) -> String {
        Hex.encode(Array(SHA256.hash(der).prefix(8)))
    }
}
