#if canImport(CryptoKit)
    import CryptoKit
#else
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
