#if !canImport(CryptoKit)
    import CCrypto

    /// A key that libcrypto has parsed, freed when the last reference is released.
    ///
    /// Parsing costs more than most operations, so keys are kept in this form.
    @safe final class EVPKey: Sendable {
        // Set once and freed in deinit. libcrypto locks internally where operations on one key share state, such as
        // blinding or copies for a provider. Every operation here has its own context, so threads may share the key.
        nonisolated(unsafe) let pointer: OpaquePointer

        private let signing = unsafe PreparedContexts { context in
            unsafe EVP_PKEY_sign_init(context) == 1 && EVP_PKEY_CTX_set_signature_md(context, SHA256.algorithm) == 1
        }
        private let verifying = unsafe PreparedContexts { context in
            unsafe EVP_PKEY_verify_init(context) == 1 && EVP_PKEY_CTX_set_signature_md(context, SHA256.algorithm) == 1
        }

        /// Takes ownership of a key; the caller must not free it.
        init(owning pointer: OpaquePointer) {
            unsafe self.pointer = unsafe pointer
        }

        deinit { unsafe EVP_PKEY_free(pointer) }

        /// Reads a private key: DER (PKCS#8, PKCS#1 or SEC 1), or PEM of these.
        ///
        /// `nil` for anything else, and for a key that needs a password.
        static func privateKey(_ bytes: [UInt8]) -> EVPKey? {
            guard bytes.count <= LibCrypto.longestDocument else { return nil }
            let found =
                if LibCrypto.isPEM(bytes) {
                    unsafe LibCrypto.parse(pem: bytes) { source in
                        // Without this callback, the library would prompt for a password at the terminal.
                        unsafe PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
                    }
                } else {
                    unsafe LibCrypto.parse(der: bytes) {
                        unsafe d2i_AutoPrivateKey(nil, $0, $1)
                    } free: {
                        unsafe EVP_PKEY_free($0)
                    }
                }
            guard let found = unsafe found else { return nil }
            return unsafe EVPKey(owning: found)
        }

        /// Reads a public key: a SubjectPublicKeyInfo (RFC 5280) in DER; `nil` for anything else.
        static func publicKey(der: [UInt8]) -> EVPKey? {
            guard der.count <= LibCrypto.longestDocument,
                let found = unsafe LibCrypto.parse(
                    der: der, { unsafe d2i_PUBKEY(nil, $0, $1) }, free: { unsafe EVP_PKEY_free($0) })
            else { return nil }
            return unsafe EVPKey(owning: found)
        }

        /// The key's type as a libcrypto constant, such as `EVP_PKEY_RSA`.
        var kind: Int32 { unsafe EVP_PKEY_get_base_id(pointer) }

        /// The key's size in bits: that of an RSA modulus or of a curve's order.
        var bits: Int { Int(unsafe EVP_PKEY_get_bits(pointer)) }

        /// The elliptic curve's name in libcrypto, such as `prime256v1`; `nil` for other keys.
        var curveName: String? {
            guard kind == EVP_PKEY_EC else { return nil }
            var name = [CChar](repeating: 0, count: 64)
            var count = 0
            guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else {
                ERR_clear_error()
                return nil
            }
            return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }

        /// The key's type for error messages, such as "an RSA key with 3072 bits".
        var kindDescription: String {
            let curves = [SN_X9_62_prime256v1: "P-256", SN_secp384r1: "P-384", SN_secp521r1: "P-521"]
            return switch kind {
            case EVP_PKEY_RSA: "an RSA key with \(bits) bits"
            case EVP_PKEY_EC: curveName.map { "a key on the curve \(curves[$0] ?? $0)" } ?? "an elliptic-curve key"
            case EVP_PKEY_ED25519: "an Ed25519 key"
            default: "another kind of key"
            }
        }

        /// The public key as SubjectPublicKeyInfo in DER.
        func publicDER() throws(CryptoError) -> [UInt8] {
            try unsafe LibCrypto.der { unsafe i2d_PUBKEY(pointer, $0) }
        }

        /// The public key as PEM text.
        func publicPEM() throws(CryptoError) -> String {
            try unsafe LibCrypto.pem { unsafe PEM_write_bio_PUBKEY($0, pointer) }
        }

        /// The private key as PKCS#8 in DER.
        func privateDER() throws(CryptoError) -> [UInt8] {
            let wrapped = try unsafe LibCrypto.checked(EVP_PKEY2PKCS8(pointer))
            defer { unsafe PKCS8_PRIV_KEY_INFO_free(wrapped) }
            return try unsafe LibCrypto.der { unsafe i2d_PKCS8_PRIV_KEY_INFO(wrapped, $0) }
        }

        /// A numeric parameter, such as the RSA modulus ("n"), as big-endian bytes, padded to at least `length`.
        func number(_ name: String, length: Int = 0) throws(CryptoError) -> [UInt8] {
            var number: OpaquePointer?
            try LibCrypto.check(unsafe EVP_PKEY_get_bn_param(pointer, name, &number))
            defer { unsafe BN_clear_free(number) }
            let count = max(length, Int((unsafe BN_num_bits(number) + 7) / 8))
            var bytes = [UInt8](repeating: 0, count: count)
            guard unsafe BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count) else { throw LibCrypto.failure() }
            return bytes
        }
    }

    extension EVPKey {
        /// Signs the SHA-256 of a message with the library's default scheme for this type of key.
        func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
            let digest = SHA256.hash(message)
            return try unsafe signing.withContext(of: pointer) { context throws(CryptoError) in
                var count = Int(unsafe EVP_PKEY_get_size(pointer))
                var signature = [UInt8](repeating: 0, count: count)
                try LibCrypto.check(unsafe EVP_PKEY_sign(context, &signature, &count, digest, digest.count))
                signature.removeLast(signature.count - count)
                return signature
            }
        }

        /// Whether the matching private key made the signature over the SHA-256 of exactly these bytes.
        func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            defer { ERR_clear_error() }
            let digest = SHA256.hash(message)
            let isValid = try? unsafe verifying.withContext(of: pointer) { context in
                unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
            }
            return isValid ?? false
        }
    }
#endif
