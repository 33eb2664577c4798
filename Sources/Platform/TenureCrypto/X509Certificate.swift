#if !canImport(CryptoKit)
    import CCrypto

    /// A certificate (RFC 5280) that identifies an RSA key; its signature and issuer aren't verified.
    ///
    /// All properties are read during initialization; a value keeps no parsed certificate.
    public struct X509Certificate: Sendable, Hashable {
        /// The certificate in DER, as it is served.
        public let der: [UInt8]

        /// The SHA-256 of the DER: 32 bytes.
        public let sha256: [UInt8]

        /// The RSA key that the certificate identifies.
        public let publicKey: RSA.PublicKey

        /// The first second in which the certificate is valid, in POSIX time.
        public let notBefore: Int64

        /// The last second in which the certificate is valid, in POSIX time.
        public let notAfter: Int64

        /// Reads a certificate from DER, or the first one from PEM.
        ///
        /// Throws: `.badCertificate`, also for a certificate with another type of key.
        public init(_ document: [UInt8]) throws(CryptoError) {
            guard let certificate = unsafe Self.parsed(document) else {
                throw CryptoError(.badCertificate, "these bytes are no X.509 certificate; give it as DER or PEM")
            }
            defer { unsafe X509_free(certificate) }
            try unsafe self.init(certificate)
        }

        /// The size of the key's modulus in bits, such as 3072.
        public var modulusBits: Int { publicKey.modulusBits }

        /// Whether the private key belongs to this certificate.
        public func matches(_ key: RSA.PrivateKey) -> Bool {
            key.publicKey == publicKey
        }

        /// Compares the DER encodings.
        public static func == (one: X509Certificate, other: X509Certificate) -> Bool { one.der == other.der }

        /// Hashes the DER encoding.
        public func hash(into hasher: inout Hasher) { hasher.combine(der) }

        /// Reads all properties from a parsed certificate, which the caller frees.
        init(_ certificate: OpaquePointer) throws(CryptoError) {
            guard let owned = unsafe X509_get_pubkey(certificate),
                let publicKey = try? unsafe RSA.PublicKey(EVPKey(owning: owned)),
                let notBefore = unsafe Self.seconds(X509_get0_notBefore(certificate)),
                let notAfter = unsafe Self.seconds(X509_get0_notAfter(certificate))
            else {
                ERR_clear_error()
                throw CryptoError(
                    .badCertificate, "the certificate has no RSA key or no dates; ask for one with RSA-3072")
            }
            der = try unsafe LibCrypto.der { unsafe i2d_X509(certificate, $0) }
            sha256 = SHA256.hash(der)
            self.publicKey = publicKey
            self.notBefore = notBefore
            self.notAfter = notAfter
        }

        private static func parsed(_ document: [UInt8]) -> OpaquePointer? {
            guard document.count <= LibCrypto.longestDocument else { return nil }
            if LibCrypto.isPEM(document) {
                return unsafe LibCrypto.parse(pem: document) {
                    unsafe PEM_read_bio_X509($0, nil, { _, _, _, _ in -1 }, nil)
                }
            }
            return unsafe LibCrypto.parse(
                der: document, { unsafe d2i_X509(nil, $0, $1) }, free: { unsafe X509_free($0) })
        }

        private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
            guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
            defer { unsafe ASN1_TIME_free(epoch) }
            var days: Int32 = 0
            var seconds: Int32 = 0
            guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
            return Int64(days) * 86_400 + Int64(seconds)
        }
    }

    extension X509Certificate {
        /// The permitted use of a generated certificate's key.
        public enum Usage: String, Sendable {
            /// Encrypting keys.
            case encryption = "critical,keyEncipherment"
            /// Signing documents.
            case signing = "critical,digitalSignature"
        }

        /// Creates a self-signed certificate with a random serial number.
        ///
        /// It is valid for `validSeconds` from `notBefore`, in POSIX time. The common name has 1 to 64 bytes.
        ///
        /// Throws: `.badCertificate` if the name or the dates are invalid; `.libraryFailed`.
        public static func selfSigned(
            commonName: String, usage: Usage, key: RSA.PrivateKey, notBefore: Int64, validSeconds: Int64
        ) throws(CryptoError) -> X509Certificate {
            let (notAfter, overflow) = notBefore.addingReportingOverflow(validSeconds)
            guard (1...64).contains(commonName.utf8.count), validSeconds >= 0, !overflow, notBefore >= 0,
                notAfter < year10000
            else {
                throw CryptoError(
                    .badCertificate,
                    "a certificate needs a name of 1 to 64 bytes and dates from 1970 to 9999; change them")
            }
            let certificate = try unsafe LibCrypto.checked(X509_new())
            defer { unsafe X509_free(certificate) }
            try LibCrypto.check(unsafe X509_set_version(certificate, 2))
            try unsafe setSerialNumber(certificate)
            try unsafe setName(commonName, certificate)
            try unsafe setDates(notBefore, notAfter, certificate)
            try unsafe add(NID_basic_constraints, "critical,CA:FALSE", certificate)
            try unsafe add(NID_key_usage, usage.rawValue, certificate)
            try unsafe key.certify(certificate)
            return try unsafe X509Certificate(certificate)
        }

        private static let year10000: Int64 = 253_402_300_800

        private static func setSerialNumber(_ certificate: OpaquePointer) throws(CryptoError) {
            // Positive and of fixed length: the highest bit is clear and the next one set.
            var bytes = SecureRandom.bytes(16)
            bytes[0] = bytes[0] & 0x7F | 0x40
            let number = try unsafe LibCrypto.checked(BN_bin2bn(bytes, Int32(bytes.count), nil))
            defer { unsafe BN_free(number) }
            guard unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil else {
                throw LibCrypto.failure()
            }
        }

        private static func setName(_ commonName: String, _ certificate: OpaquePointer) throws(CryptoError) {
            let name = unsafe X509_get_subject_name(certificate)
            let text = Array(commonName.utf8)
            try LibCrypto.check(
                unsafe X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, text, Int32(text.count), -1, 0))
            try LibCrypto.check(unsafe X509_set_issuer_name(certificate, name))
        }

        private static func setDates(
            _ notBefore: Int64, _ notAfter: Int64, _ certificate: OpaquePointer
        ) throws(CryptoError) {
            guard unsafe ASN1_TIME_set(X509_getm_notBefore(certificate), Int(notBefore)) != nil,
                unsafe ASN1_TIME_set(X509_getm_notAfter(certificate), Int(notAfter)) != nil
            else { throw LibCrypto.failure() }
        }

        private static func add(_ kind: Int32, _ value: String, _ certificate: OpaquePointer) throws(CryptoError) {
            let extensionMade = try unsafe LibCrypto.checked(X509V3_EXT_conf_nid(nil, nil, kind, value))
            defer { unsafe X509_EXTENSION_free(extensionMade) }
            try LibCrypto.check(unsafe X509_add_ext(certificate, extensionMade, -1))
        }
    }
#endif
