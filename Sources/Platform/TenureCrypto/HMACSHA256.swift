#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
    import CSodium
#endif

/// The message authentication code HMAC-SHA256 (RFC 2104).
public enum HMACSHA256 {
    /// The length of a code in bytes: 32.
    public static let length = 32

    /// Computes the code of a message under a key of any length.
    public static func code(of message: [UInt8], under key: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            Array(HMAC<CryptoKit.SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        #else
            Sodium.start()
            var state = crypto_auth_hmacsha256_state()
            unsafe crypto_auth_hmacsha256_init(&state, key, key.count)
            unsafe crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
            let code = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
                if let base = buffer.baseAddress { unsafe crypto_auth_hmacsha256_final(&state, base) }
                count = length
            }
            unsafe sodium_memzero(&state, MemoryLayout.size(ofValue: state))
            return code
        #endif
    }

    /// Whether the code was computed from this message and key; compared in constant time.
    public static func verify(_ code: [UInt8], of message: [UInt8], under key: [UInt8]) -> Bool {
        constantTimeEquals(code, self.code(of: message, under: key))
    }
}

/// Key derivation with HKDF-SHA256 (RFC 5869), extract and expand in one step.
public enum HKDFSHA256 {
    /// The longest key that can be derived, in bytes: 255 digests.
    public static let longestKey = 255 * SHA256.length

    /// The longest purpose in bytes: 1 KiB, libcrypto's limit.
    public static let longestPurpose = 1 << 10

    /// Derives a key of `length` bytes.
    ///
    /// The secret needs enough entropy: HKDF isn't a password hash. The salt may be public. `purpose`, the RFC's info,
    /// names the purpose of the key, so that no two purposes share a key.
    ///
    /// Throws: `.wrongLength` if the secret is empty or the length isn't in 1 to ``longestKey``. `.tooLong` if the
    /// purpose is over ``longestPurpose`` or another input over 2 GiB. `.libraryFailed`.
    public static func key(
        from secret: [UInt8], salt: [UInt8], purpose: [UInt8], length: Int
    ) throws(CryptoError) -> [UInt8] {
        guard (1...longestKey).contains(length), !secret.isEmpty else {
            throw CryptoError(.wrongLength, "HKDF derives 1 to \(longestKey) bytes, and not from an empty secret")
        }
        guard purpose.count <= longestPurpose, max(salt.count, secret.count) <= Int(Int32.max) else {
            throw CryptoError(.tooLong, "what a key is derived from is too long; give a digest of it")
        }
        return try derive(secret, salt, purpose, length)
    }

    private static func derive(
        _ secret: [UInt8], _ salt: [UInt8], _ purpose: [UInt8], _ length: Int
    ) throws(CryptoError) -> [UInt8] {
        #if canImport(CryptoKit)
            let key = HKDF<CryptoKit.SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), salt: salt, info: purpose, outputByteCount: length)
            return unsafe key.withUnsafeBytes { unsafe Array($0) }
        #else
            let context = try unsafe LibCrypto.checked(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil))
            defer { unsafe EVP_PKEY_CTX_free(context) }
            try LibCrypto.check(unsafe EVP_PKEY_derive_init(context))
            try LibCrypto.check(unsafe EVP_PKEY_CTX_set_hkdf_md(context, SHA256.algorithm))
            try LibCrypto.check(unsafe EVP_PKEY_CTX_set1_hkdf_key(context, secret, Int32(secret.count)))
            try LibCrypto.check(unsafe EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)))
            try LibCrypto.check(unsafe EVP_PKEY_CTX_add1_hkdf_info(context, purpose, Int32(purpose.count)))
            var key = [UInt8](repeating: 0, count: length)
            var count = length
            try LibCrypto.check(unsafe EVP_PKEY_derive(context, &key, &count))
            guard count == length else { throw LibCrypto.failure() }
            return key
        #endif
    }
}
