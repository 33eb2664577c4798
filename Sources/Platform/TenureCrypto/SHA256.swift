#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// The hash function SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// The length of a digest in bytes: 32.
    public static let length = 32

    /// Computes the 32-byte digest of the bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            Array(CryptoKit.SHA256.hash(data: bytes))
        #else
            unsafe [UInt8](unsafeUninitializedCapacity: length) { digest, count in
                count = length
                let result = unsafe tenure_sha256(bytes, bytes.count, digest.baseAddress!)
                precondition(result == 1, "libcrypto did not compute a digest; its installation is broken")
            }
        #endif
    }

    #if !canImport(CryptoKit)
        // Fetched once, because a fetch costs more than hashing a short input. It is never written again, and OpenSSL
        // allows threads to share it.
        nonisolated(unsafe) static let algorithm: OpaquePointer = {
            guard let fetched = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
                preconditionFailure("libcrypto has no SHA-256; is its default provider installed?")
            }
            return unsafe fetched
        }()
    #endif
}

/// Computes the SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
@safe public final class RunningSHA256 {
    #if canImport(CryptoKit)
        private var hasher = CryptoKit.SHA256()

        /// Starts a digest, without any bytes yet.
        public init() {}

        /// Appends the next bytes; how they are split into calls doesn't matter.
        public func update(_ bytes: [UInt8]) {
            hasher.update(data: bytes)
        }

        /// The 32-byte digest of all bytes so far; more may follow.
        public func digest() -> [UInt8] {
            let copy = hasher
            return Array(copy.finalize())
        }
    #else
        private let context: OpaquePointer

        /// Starts a digest, without any bytes yet.
        public init() {
            guard let context = unsafe EVP_MD_CTX_new(),
                unsafe EVP_DigestInit_ex2(context, SHA256.algorithm, nil) == 1
            else { preconditionFailure("libcrypto has no memory for a digest, or its installation is broken") }
            unsafe self.context = context
        }

        deinit { unsafe EVP_MD_CTX_free(context) }

        /// Appends the next bytes; how they are split into calls doesn't matter.
        public func update(_ bytes: [UInt8]) {
            let result = unsafe EVP_DigestUpdate(context, bytes, bytes.count)
            precondition(result == 1, "libcrypto did not take bytes into a digest; its installation is broken")
        }

        /// The 32-byte digest of all bytes so far; more may follow.
        public func digest() -> [UInt8] {
            guard let copy = unsafe EVP_MD_CTX_new(), unsafe EVP_MD_CTX_copy_ex(copy, context) == 1 else {
                preconditionFailure("libcrypto has no memory for a digest")
            }
            defer { unsafe EVP_MD_CTX_free(copy) }
            return unsafe [UInt8](unsafeUninitializedCapacity: SHA256.length) { digest, count in
                let result = unsafe EVP_DigestFinal_ex(copy, digest.baseAddress!, nil)
                precondition(result == 1, "libcrypto did not compute a digest; its installation is broken")
                count = SHA256.length
            }
        }
    #endif
}

#if !canImport(CryptoKit)
    /// Compares bytes that arrive in pieces with a checksum whose length determines its type: MD5, SHA-1 or SHA-256.
    ///
    /// It detects transmission errors, but doesn't prove who made the bytes. Only servers need it.
    @safe public final class RunningChecksum {
        private let expected: [UInt8]
        private let context: OpaquePointer

        /// Creates a comparison with a checksum; returns `nil` if no type has its length or the library lacks the type.
        public init?(_ expected: [UInt8]) {
            let names: [Int: String] = [16: "MD5", 20: "SHA1", 32: "SHA256"]
            guard let name = names[expected.count], let algorithm = unsafe EVP_MD_fetch(nil, name, nil) else {
                return nil
            }
            defer { unsafe EVP_MD_free(algorithm) }
            guard let context = unsafe EVP_MD_CTX_new() else { return nil }
            guard unsafe EVP_DigestInit_ex2(context, algorithm, nil) == 1 else {
                unsafe EVP_MD_CTX_free(context)
                return nil
            }
            unsafe self.context = context
            self.expected = expected
        }

        deinit { unsafe EVP_MD_CTX_free(context) }

        /// Appends the next bytes; how they are split into calls doesn't matter.
        public func update(_ bytes: [UInt8]) {
            let result = unsafe EVP_DigestUpdate(context, bytes, bytes.count)
            precondition(result == 1, "libcrypto did not take bytes into a digest; its installation is broken")
        }

        /// Finishes the computation; returns whether the bytes have the expected checksum.
        public func matches() -> Bool {
            let digest = unsafe [UInt8](unsafeUninitializedCapacity: 64) { digest, count in
                var length: UInt32 = 0
                let result = unsafe EVP_DigestFinal_ex(context, digest.baseAddress!, &length)
                precondition(result == 1, "libcrypto did not compute a digest; its installation is broken")
                count = Int(length)
            }
            return digest == expected
        }
    }
#endif
