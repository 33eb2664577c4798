#if !canImport(CryptoKit)
    import CCrypto

    extension P256 {
        /// A key that signs. Copies share what was parsed, and so may threads.
        public struct PrivateKey: Sendable, CustomStringConvertible {
            /// The key that verifies what this one signs.
            public let publicKey: PublicKey

            private let key: EVPKey

            /// Reads a private key: DER or PEM, as PKCS#8 (Apple's `.p8` files) or as SEC 1.
            ///
            /// Throws: `.badKey`, for another kind of key, another curve and a key that asks for a password too.
            public init(_ document: [UInt8]) throws(CryptoError) {
                guard let key = EVPKey.privateKey(document) else {
                    throw CryptoError(
                        .badKey, "these bytes are no P-256 private key; give it as DER or PEM, without a password")
                }
                try self.init(key)
            }

            /// Takes the number that is the key, 32 bytes big-endian.
            ///
            /// Throws: `.wrongLength`, and `.badKey` for zero and numbers not below the order of the curve.
            public init(raw number: [UInt8]) throws(CryptoError) {
                guard number.count == privateKeyLength else {
                    throw .wrongLength(of: "a P-256 private key", is: number.count, not: privateKeyLength)
                }
                guard number.lexicographicallyPrecedes(Self.order), number.contains(where: { $0 != 0 }) else {
                    throw CryptoError(.badKey, "the number is no P-256 private key; check where it was read from")
                }
                try self.init(Self.header + number)
            }

            /// Makes a new key from the system's random source.
            ///
            /// Throws: `.libraryFailed`.
            public static func generate() throws(CryptoError) -> PrivateKey {
                let context = try unsafe LibCrypto.made(EVP_PKEY_CTX_new_from_name(nil, "EC", nil))
                defer { unsafe EVP_PKEY_CTX_free(context) }
                try LibCrypto.check(unsafe EVP_PKEY_keygen_init(context))
                try LibCrypto.check(unsafe EVP_PKEY_CTX_set_group_name(context, SN_X9_62_prime256v1))
                var made: OpaquePointer?
                try LibCrypto.check(unsafe EVP_PKEY_generate(context, &made))
                return try unsafe PrivateKey(EVPKey(owning: LibCrypto.made(made)))
            }

            /// The key as PKCS#8 in DER, to seal and store. The copy is the caller's: it is not wiped.
            ///
            /// Throws: `.libraryFailed`.
            public func der() throws(CryptoError) -> [UInt8] { try key.privateDER() }

            /// The number that is the key, 32 bytes big-endian. The copy is the caller's: it is not wiped.
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

            /// Names the kind of value and nothing of the secret.
            public var description: String { "P256.PrivateKey" }

            private init(_ key: EVPKey) throws(CryptoError) {
                self.key = key
                publicKey = try PublicKey(key)
            }

            /// PKCS#8 up to the number: version, `id-ecPublicKey` with `prime256v1`, SEC 1 without the public key.
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
#endif
