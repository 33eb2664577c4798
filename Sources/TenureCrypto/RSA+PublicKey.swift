#if !canImport(CryptoKit)
    import CCrypto

    extension RSA {
        /// A key that encrypts, and verifies signatures.
        public struct PublicKey: Sendable, Hashable {
            /// The key as SubjectPublicKeyInfo (RFC 5280) in DER.
            public let der: [UInt8]

            private let key: EVPKey

            /// Reads a SubjectPublicKeyInfo in DER.
            ///
            /// Throws: `.badKey`, for another kind of key and a modulus outside ``RSA/modulusBits`` too.
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

            /// Bits of the modulus, such as 3072.
            public var modulusBits: Int { key.bits }

            /// Encrypts a message with OAEP (SHA-256, MGF1 with SHA-256, no label); the answer is as long as the
            /// modulus.
            ///
            /// Throws: `.tooLong` when the message is longer than the modulus less 66 bytes.
            public func encryptOAEP(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
                guard message.count <= (key.bits + 7) / 8 - 66 else {
                    throw CryptoError(.tooLong, "a message is too long for this RSA key; encrypt a key with it instead")
                }
                let context = try unsafe LibCrypto.made(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil))
                defer { unsafe EVP_PKEY_CTX_free(context) }
                try LibCrypto.check(unsafe EVP_PKEY_encrypt_init(context))
                try unsafe RSA.chooseOAEP(context)
                var count = Int(unsafe EVP_PKEY_get_size(key.pointer))
                var ciphertext = [UInt8](repeating: 0, count: count)
                try LibCrypto.check(unsafe EVP_PKEY_encrypt(context, &ciphertext, &count, message, message.count))
                return Array(ciphertext.prefix(count))
            }

            /// Answers whether a PKCS#1 v1.5 signature is this key's, over the SHA-256 of exactly these bytes.
            public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
                key.isValidSignature(signature, for: message)
            }

            /// Two keys are equal when their encodings are.
            public static func == (one: PublicKey, other: PublicKey) -> Bool { one.der == other.der }

            /// Hashes the encoding.
            public func hash(into hasher: inout Hasher) { hasher.combine(der) }
        }

        /// Sets a context that is begun for encryption or decryption to OAEP with SHA-256 throughout.
        static func chooseOAEP(_ context: OpaquePointer) throws(CryptoError) {
            try LibCrypto.check(unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING))
            try LibCrypto.check(unsafe EVP_PKEY_CTX_set_rsa_oaep_md(context, SHA256.algorithm))
            try LibCrypto.check(unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(context, SHA256.algorithm))
        }
    }
#endif
