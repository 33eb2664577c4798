#if !canImport(CryptoKit)
    import CCrypto

    extension P256 {
        /// A key that verifies signatures.
        public struct PublicKey: Sendable, Hashable {
            /// The key as SubjectPublicKeyInfo (RFC 5280) in DER.
            public let der: [UInt8]

            private let key: EVPKey

            /// Reads a SubjectPublicKeyInfo in DER.
            ///
            /// Throws: `.badKey`, for another kind of key or another curve too.
            public init(der: [UInt8]) throws(CryptoError) {
                guard let key = EVPKey.publicKey(der: der) else {
                    throw CryptoError(
                        .badKey, "these bytes are no P-256 public key; give its SubjectPublicKeyInfo as DER")
                }
                try self.init(key)
            }

            init(_ key: EVPKey) throws(CryptoError) {
                guard try P256.isOnCurve(key) else {
                    throw CryptoError(.badKey, "the public key is not on the curve P-256; use another")
                }
                self.key = key
                der = try key.publicDER()
            }

            /// The key as PEM text, as App Store Connect takes it.
            ///
            /// Throws: `.libraryFailed`.
            public func pem() throws(CryptoError) -> String { try key.publicPEM() }

            /// Answers whether a signature of 64 bytes (r and s) is this key's, over the SHA-256 of exactly these
            /// bytes.
            ///
            /// A signature in DER, or of another length, is simply not valid. Every signature has a second form (with
            /// the order of the curve less s), which is valid too: do not use one as a name for what it signs.
            public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
                guard let der = try? ECDSASignature.der(raw: signature) else { return false }
                return key.isValidSignature(der, for: message)
            }

            /// Two keys are equal when their encodings are.
            public static func == (one: PublicKey, other: PublicKey) -> Bool { one.der == other.der }

            /// Hashes the encoding.
            public func hash(into hasher: inout Hasher) { hasher.combine(der) }
        }

        /// Whether a key is one for elliptic curves, and its curve this one.
        static func isOnCurve(_ key: EVPKey) throws(CryptoError) -> Bool {
            guard key.kind == EVP_PKEY_EC else { return false }
            var name = [CChar](repeating: 0, count: 64)
            var count = 0
            guard unsafe EVP_PKEY_get_group_name(key.pointer, &name, name.count, &count) == 1 else {
                ERR_clear_error()
                return false
            }
            return name.prefix(count).map(UInt8.init(bitPattern:)) == Array(SN_X9_62_prime256v1.utf8)
        }
    }
#endif
