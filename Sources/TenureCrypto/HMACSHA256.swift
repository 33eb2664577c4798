#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
    import CSodium
#endif

/// The message authentication code HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
    /// Bytes in a code: 32.
    public static let length = 32

    /// Answers the 32-byte code of a message under a key of any length.
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

    /// Whether a code is that of the message; compared in a time that does not tell where they differ.
    public static func verify(_ code: [UInt8], of message: [UInt8], under key: [UInt8]) -> Bool {
        constantTimeEquals(code, self.code(of: message, under: key))
    }
}

/// Keys derived from a secret: HKDF with SHA-256 (RFC 5869), extract and expand in one.
public enum HKDFSHA256 {
    /// Bytes in the longest key that can be derived: 255 digests.
    public static let longestKey = 255 * SHA256.length

    /// Bytes in the longest purpose: 1 KiB, as libcrypto has it.
    public static let longestPurpose = 1 << 10

    /// Derives a key of `length` bytes.
    ///
    /// The secret needs entropy of its own: this is no hash for passwords. The salt may be public; `purpose` (the info
    /// of the RFC) says what the key is for, so that two purposes never share one.
    ///
    /// Throws: `.wrongLength` for an empty secret and a length outside 1 to ``longestKey``, `.tooLong` when the purpose
    /// is over ``longestPurpose`` or anything else over 2 GiB, `.libraryFailed`.
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
            let context = try unsafe LibCrypto.made(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil))
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
