#if !canImport(CryptoKit)
    import CCrypto

    /// RSA (RFC 8017): OAEP encryption and PKCS#1 v1.5 signatures, both with SHA-256.
    ///
    /// A private-key operation with 3072 bits takes about 2 ms: run it on a pool, never on an event thread.
    public enum RSA {
        /// The modulus sizes that are accepted, in bits: smaller ones are insecure, larger ones too slow.
        public static let modulusBits = 1024...8192
    }

    extension RSA {
        /// A key that encrypts and verifies signatures.
        public struct PublicKey: Sendable, Hashable {
            /// The key as SubjectPublicKeyInfo (RFC 5280) in DER.
            public let der: [UInt8]

            private let key: EVPKey

            /// Reads a SubjectPublicKeyInfo in DER.
            ///
            /// Throws: `.badKey`, also for another type of key or a modulus outside ``RSA/modulusBits``.
            public init(der: [UInt8]) throws(CryptoError) {
                guard let key = EVPKey.publicKey(der: der) else {
                    throw CryptoError(
                        .badKey, "these bytes are no RSA public key; give its SubjectPublicKeyInfo as DER")
                }
                try self.init(key)
            }

            init(_ key: EVPKey) throws(CryptoError) {
                guard key.kind == EVP_PKEY_RSA, RSA.modulusBits.contains(key.bits) else {
                    throw CryptoError(.badKey, "the public key is not RSA with \(RSA.modulusBits) bits; use another")
                }
                self.key = key
                der = try key.publicDER()
            }

            /// The size of the modulus in bits, such as 3072.
            public var modulusBits: Int { key.bits }

            /// Encrypts a message with OAEP (SHA-256, MGF1 with SHA-256, no label); the result is as long as the
            /// modulus.
            ///
            /// Throws: `.tooLong` if the message is longer than the modulus minus 66 bytes.
            public func encryptOAEP(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
                guard message.count <= (key.bits + 7) / 8 - 66 else {
                    throw CryptoError(.tooLong, "a message is too long for this RSA key; encrypt a key with it instead")
                }
                let context = try unsafe LibCrypto.checked(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil))
                defer { unsafe EVP_PKEY_CTX_free(context) }
                guard unsafe EVP_PKEY_encrypt_init(context) == 1 && RSA.chooseOAEP(context) else {
                    throw LibCrypto.failure()
                }
                var count = Int(unsafe EVP_PKEY_get_size(key.pointer))
                var ciphertext = [UInt8](repeating: 0, count: count)
                try LibCrypto.check(unsafe EVP_PKEY_encrypt(context, &ciphertext, &count, message, message.count))
                return Array(ciphertext.prefix(count))
            }

            /// Whether the matching private key made the PKCS#1 v1.5 signature over the SHA-256 of exactly these bytes.
            public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
                key.isValidSignature(signature, for: message)
            }

            /// Compares the DER encodings.
            public static func == (one: PublicKey, other: PublicKey) -> Bool { one.der == other.der }

            /// Hashes the DER encoding.
            public func hash(into hasher: inout Hasher) { hasher.combine(der) }
        }

        /// Sets an initialized encryption or decryption context to OAEP with SHA-256 for both the hash and MGF1;
        /// returns whether that succeeded.
        static func chooseOAEP(_ context: OpaquePointer) -> Bool {
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_oaep_md(context, SHA256.algorithm) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, SHA256.algorithm) == 1
        }
    }

    extension RSA {
        /// A key that decrypts and signs.
        ///
        /// Parsing is expensive, so keep the value; copies share the parsed key, and threads may share it too.
        public struct PrivateKey: Sendable, CustomStringConvertible {
            /// The public key, which encrypts messages to this key and verifies its signatures.
            public let publicKey: PublicKey

            private let key: EVPKey
            private let modulus: [UInt8]
            private let decrypting = unsafe PreparedContexts { context in
                unsafe EVP_PKEY_decrypt_init(context) == 1 && RSA.chooseOAEP(context)
            }

            /// Reads a private key from DER or PEM, as PKCS#8 or PKCS#1.
            ///
            /// Throws: `.badKey`, also for another type of key, a modulus outside ``RSA/modulusBits``, or a key that
            /// needs a password.
            public init(_ document: [UInt8]) throws(CryptoError) {
                guard let key = EVPKey.privateKey(document), key.kind == EVP_PKEY_RSA else {
                    throw CryptoError(
                        .badKey, "these bytes are no RSA private key; give it as DER or PEM, without a password")
                }
                try self.init(key)
            }

            /// Generates a key.
            ///
            /// It takes a quarter of a second for 3072 bits, and sometimes several times that.
            ///
            /// Throws: `.wrongLength` outside ``RSA/modulusBits``, `.libraryFailed`.
            public static func generate(modulusBits: Int = 3072) throws(CryptoError) -> PrivateKey {
                guard RSA.modulusBits.contains(modulusBits) else {
                    throw CryptoError(.wrongLength, "an RSA modulus has \(RSA.modulusBits) bits; choose 3072")
                }
                let context = try unsafe LibCrypto.checked(EVP_PKEY_CTX_new_from_name(nil, "RSA", nil))
                defer { unsafe EVP_PKEY_CTX_free(context) }
                try LibCrypto.check(unsafe EVP_PKEY_keygen_init(context))
                try LibCrypto.check(unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(modulusBits)))
                var object: OpaquePointer?
                try LibCrypto.check(unsafe EVP_PKEY_generate(context, &object))
                return try unsafe PrivateKey(EVPKey(owning: LibCrypto.checked(object)))
            }

            /// The size of the modulus in bits, such as 3072.
            public var modulusBits: Int { key.bits }

            /// The key as PKCS#8 in DER, to be sealed and stored.
            ///
            /// It is a copy that isn't wiped.
            ///
            /// Throws: `.libraryFailed`.
            public func der() throws(CryptoError) -> [UInt8] { try key.privateDER() }

            /// Decrypts a ciphertext that was encrypted to this key with OAEP (SHA-256, MGF1 with SHA-256, no label).
            ///
            /// Throws: `.notOpened` for every failure alike, after the same work. Neither the error nor the time shows
            /// whether the length, the value or the padding was wrong.
            public func decryptOAEP(_ ciphertext: [UInt8]) throws(CryptoError) -> [UInt8] {
                let (message, count) = decrypted(ciphertext)
                guard count >= 0 else { throw CryptoError(.notOpened, "the bytes were not encrypted to this RSA key") }
                return Array(message.prefix(count))
            }

            /// Returns the decrypted message if it is exactly as long as the fallback, otherwise the fallback; selects
            /// with masks.
            ///
            /// Use this for protocols that must not reveal whether decryption succeeded, as ``decryptOAEP(_:)`` would.
            package func decryptOAEP(
                _ ciphertext: [UInt8], orElse fallback: [UInt8]
            ) -> (message: [UInt8], isOpened: Bool) {
                let (message, count) = decrypted(ciphertext)
                let isOpened = ConstantTimeBits.isEqual(count, fallback.count)
                return (ConstantTimeBits.choose(message, over: fallback, if: isOpened), isOpened != 0)
            }

            /// Signs the SHA-256 of a message with PKCS#1 v1.5; the signature is as long as the modulus and
            /// deterministic.
            ///
            /// Throws: `.libraryFailed`.
            public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] { try key.sign(message) }

            /// The type's name, without anything secret.
            public var description: String { "RSA.PrivateKey" }

            /// Sets the public key in a certificate, and signs the certificate with this key.
            func certify(_ certificate: OpaquePointer) throws(CryptoError) {
                try LibCrypto.check(unsafe X509_set_pubkey(certificate, key.pointer))
                guard unsafe X509_sign(certificate, key.pointer, EVP_sha256()) > 0 else { throw LibCrypto.failure() }
            }

            private init(_ key: EVPKey) throws(CryptoError) {
                self.key = key
                publicKey = try PublicKey(key)
                modulus = try key.number(OSSL_PKEY_PARAM_RSA_N)
            }

            /// A buffer as long as the modulus, and the length of the message in it; -1 if decryption failed.
            private func decrypted(_ ciphertext: [UInt8]) -> (buffer: [UInt8], count: Int) {
                // An impossible ciphertext is replaced by a possible one, so that its decryption takes the same time.
                let isPossible = ciphertext.count == modulus.count && ciphertext.lexicographicallyPrecedes(modulus)
                let input = isPossible ? ciphertext : [UInt8](repeating: 0, count: modulus.count - 1) + [2]
                var buffer = [UInt8](repeating: 0, count: modulus.count)
                var count = buffer.count
                defer { ERR_clear_error() }
                let result = try? unsafe decrypting.withContext(of: key.pointer) { context in
                    unsafe EVP_PKEY_decrypt(context, &buffer, &count, input, input.count)
                }
                return (buffer, result == 1 && isPossible ? count : -1)
            }
        }
    }
#endif
