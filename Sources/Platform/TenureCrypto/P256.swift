#if !canImport(CryptoKit)
    import CCrypto

    /// ECDSA signatures on P-256 with SHA-256 (FIPS 186-5), in the format of JWS ES256 (RFC 7518 §3.4).
    public enum P256 {
        /// The length of a private key's number in bytes: 32.
        public static let privateKeyLength = 32

        /// The length of a signature in bytes: 32 each for r and s, big-endian.
        public static let signatureLength = 64
    }

    extension P256 {
        /// A key that verifies signatures.
        public struct PublicKey: Sendable, Hashable {
            /// The key as SubjectPublicKeyInfo (RFC 5280) in DER.
            public let der: [UInt8]

            private let key: EVPKey

            /// Reads a SubjectPublicKeyInfo in DER.
            ///
            /// Throws: `.badKey`, also for another type of key or another curve.
            public init(der: [UInt8]) throws(CryptoError) {
                guard let key = EVPKey.publicKey(der: der) else {
                    throw CryptoError(
                        .badKey, "these bytes are no P-256 public key; give its SubjectPublicKeyInfo as DER")
                }
                try self.init(key)
            }

            init(_ key: EVPKey) throws(CryptoError) {
                guard P256.isOnCurve(key) else {
                    throw CryptoError(.badKey, "this is \(key.kindDescription), not a P-256 key")
                }
                self.key = key
                der = try key.publicDER()
            }

            /// The key as PEM text, which App Store Connect accepts.
            ///
            /// Throws: `.libraryFailed`.
            public func pem() throws(CryptoError) -> String { try key.publicPEM() }

            /// Whether the matching private key made the 64-byte signature (r and s) over the SHA-256 of exactly these
            /// bytes.
            ///
            /// A signature in DER or of another length is invalid. Every signature has a second valid form, with s
            /// replaced by the curve's order minus s, so don't use a signature as an identifier.
            public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
                guard let der = try? ECDSASignature.der(raw: signature) else { return false }
                return key.isValidSignature(der, for: message)
            }

            /// Compares the DER encodings.
            public static func == (one: PublicKey, other: PublicKey) -> Bool { one.der == other.der }

            /// Hashes the DER encoding.
            public func hash(into hasher: inout Hasher) { hasher.combine(der) }
        }

        /// Whether the key is an elliptic-curve key on P-256.
        static func isOnCurve(_ key: EVPKey) -> Bool {
            key.curveName == SN_X9_62_prime256v1
        }
    }

    extension P256 {
        /// A key that signs.
        ///
        /// Copies share the parsed key, and threads may share it too.
        public struct PrivateKey: Sendable, CustomStringConvertible {
            /// The key that verifies this key's signatures.
            public let publicKey: PublicKey

            private let key: EVPKey

            /// Reads a private key from DER or PEM, as PKCS#8 (Apple's `.p8` files) or SEC 1.
            ///
            /// Throws: `.badKey`, also for another type of key, another curve, or a key that needs a password.
            public init(_ document: [UInt8]) throws(CryptoError) {
                guard let key = EVPKey.privateKey(document) else {
                    throw CryptoError(
                        .badKey, "these bytes are no P-256 private key; give it as DER or PEM, without a password")
                }
                try self.init(key)
            }

            /// Creates a key from its number, 32 bytes big-endian.
            ///
            /// Throws: `.wrongLength`; `.badKey` for zero and for numbers that aren't below the curve's order.
            public init(raw number: [UInt8]) throws(CryptoError) {
                guard number.count == privateKeyLength else {
                    throw .wrongLength(of: "a P-256 private key", is: number.count, not: privateKeyLength)
                }
                guard number.lexicographicallyPrecedes(Self.order), number.contains(where: { $0 != 0 }) else {
                    throw CryptoError(.badKey, "the number is no P-256 private key; check where it was read from")
                }
                try self.init(Self.header + number)
            }

            /// Generates a key from the system's random source.
            ///
            /// Throws: `.libraryFailed`.
            public static func generate() throws(CryptoError) -> PrivateKey {
                let context = try unsafe LibCrypto.checked(EVP_PKEY_CTX_new_from_name(nil, "EC", nil))
                defer { unsafe EVP_PKEY_CTX_free(context) }
                try LibCrypto.check(unsafe EVP_PKEY_keygen_init(context))
                try LibCrypto.check(unsafe EVP_PKEY_CTX_set_group_name(context, SN_X9_62_prime256v1))
                var object: OpaquePointer?
                try LibCrypto.check(unsafe EVP_PKEY_generate(context, &object))
                return try unsafe PrivateKey(EVPKey(owning: LibCrypto.checked(object)))
            }

            /// The key as PKCS#8 in DER, to be sealed and stored.
            ///
            /// It is a copy that isn't wiped.
            ///
            /// Throws: `.libraryFailed`.
            public func der() throws(CryptoError) -> [UInt8] { try key.privateDER() }

            /// The key's number, 32 bytes big-endian.
            ///
            /// It is a copy that isn't wiped.
            ///
            /// Throws: `.libraryFailed`.
            public func raw() throws(CryptoError) -> [UInt8] {
                try key.number(OSSL_PKEY_PARAM_PRIV_KEY, length: privateKeyLength)
            }

            /// Signs the SHA-256 of a message; the signature has 64 bytes (r and s) and differs every time.
            ///
            /// Throws: `.libraryFailed`.
            public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
                try ECDSASignature.raw(der: key.sign(message))
            }

            /// The type's name, without anything secret.
            public var description: String { "P256.PrivateKey" }

            private init(_ key: EVPKey) throws(CryptoError) {
                self.key = key
                publicKey = try PublicKey(key)
            }

            /// The PKCS#8 bytes before the number: version, `id-ecPublicKey` with `prime256v1`, and SEC 1 without the
            /// public key.
            private static let header: [UInt8] = [
                0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
                0x08,
                0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,
            ]

            private static let order: [UInt8] = [
                0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
            ]
        }
    }

    /// Converts P-256 signatures between two formats: r and s side by side, and libcrypto's DER.
    enum ECDSASignature {
        private static let numberLength = Int32(P256.signatureLength / 2)

        /// The numbers r and s, 32 bytes each, from DER that libcrypto wrote.
        static func raw(der: [UInt8]) throws(CryptoError) -> [UInt8] {
            let parsed = unsafe LibCrypto.parse(
                der: der, { unsafe d2i_ECDSA_SIG(nil, $0, $1) }, free: { unsafe ECDSA_SIG_free($0) })
            let signature = try unsafe LibCrypto.checked(parsed)
            defer { unsafe ECDSA_SIG_free(signature) }
            return try unsafe bytes(unsafe ECDSA_SIG_get0_r(signature)) + bytes(unsafe ECDSA_SIG_get0_s(signature))
        }

        /// The DER of the numbers r and s, 32 bytes each.
        ///
        /// Throws: `.wrongLength`, `.libraryFailed`.
        static func der(raw: [UInt8]) throws(CryptoError) -> [UInt8] {
            guard raw.count == P256.signatureLength else {
                throw .wrongLength(of: "a P-256 signature", is: raw.count, not: P256.signatureLength)
            }
            let signature = try unsafe LibCrypto.checked(ECDSA_SIG_new())
            defer { unsafe ECDSA_SIG_free(signature) }
            let r = try unsafe LibCrypto.checked(BN_bin2bn(Array(raw.prefix(Int(numberLength))), numberLength, nil))
            guard let s = unsafe BN_bin2bn(Array(raw.suffix(Int(numberLength))), numberLength, nil) else {
                unsafe BN_free(r)
                throw LibCrypto.failure()
            }
            // From here on, the signature owns and frees the numbers; the call fails only if one is NULL.
            try LibCrypto.check(unsafe ECDSA_SIG_set0(signature, r, s))
            return try unsafe LibCrypto.der { unsafe i2d_ECDSA_SIG(signature, $0) }
        }

        private static func bytes(_ number: OpaquePointer?) throws(CryptoError) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: Int(numberLength))
            guard unsafe BN_bn2binpad(number, &bytes, numberLength) == numberLength else { throw LibCrypto.failure() }
            return bytes
        }
    }
#endif
