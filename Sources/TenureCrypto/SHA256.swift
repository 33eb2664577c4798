#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// The digest SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// Bytes in a digest: 32.
    public static let length = 32

    /// Answers the 32-byte digest of the bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            Array(CryptoKit.SHA256.hash(data: bytes))
        #else
            unsafe [UInt8](unsafeUninitializedCapacity: length) { digest, count in
                let result = unsafe EVP_Digest(bytes, bytes.count, digest.baseAddress!, nil, algorithm, nil)
                precondition(
                    result == 1, "libcrypto did not compute a digest; memory ran out or its installation is broken")
                count = length
            }
        #endif
    }

    #if !canImport(CryptoKit)
        // Fetched once, since a fetch costs more than a short digest; never written again, and OpenSSL shares it
        // freely.
        nonisolated(unsafe) static let algorithm: OpaquePointer = {
            guard let fetched = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
                preconditionFailure("libcrypto has no SHA-256; is its default provider installed?")
            }
            return unsafe fetched
        }()
    #endif
}
