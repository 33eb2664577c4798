#if !canImport(CryptoKit)
    import CCrypto

    extension X509Certificate {
        /// What the key of a made certificate may be used for.
        public enum Usage: String, Sendable {
            /// Encrypting keys.
            case encryption = "critical,keyEncipherment"
            /// Signing documents.
            case signing = "critical,digitalSignature"
        }

        /// Makes a certificate that a key signs for itself, with a random serial number.
        ///
        /// It is valid from a moment in POSIX time on, for that many seconds. The common name has 1 to 64 bytes.
        ///
        /// Throws: `.badCertificate` for a name or dates that no certificate can have, `.libraryFailed`.
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
            let certificate = try unsafe LibCrypto.made(X509_new())
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
            let number = try unsafe LibCrypto.made(BN_bin2bn(bytes, Int32(bytes.count), nil))
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
            let extensionMade = try unsafe LibCrypto.made(X509V3_EXT_conf_nid(nil, nil, kind, value))
            defer { unsafe X509_EXTENSION_free(extensionMade) }
            try LibCrypto.check(unsafe X509_add_ext(certificate, extensionMade, -1))
        }
    }
#endif
