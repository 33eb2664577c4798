#if canImport(CryptoKit)
    import Security
#else
    import CSodium
#endif

/// A cryptographically secure random number generator that uses the system's source.
public struct SecureRandom: RandomNumberGenerator, Sendable {
    /// Creates a generator, which has no state of its own.
    public init() {}

    /// Returns 64 random bits.
    public mutating func next() -> UInt64 {
        var number: UInt64 = 0
        unsafe Self.fill(&number, MemoryLayout<UInt64>.size)
        return number
    }

    /// Returns `count` random bytes.
    public static func bytes(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let base = buffer.baseAddress { unsafe fill(base, count) }
            filled = count
        }
    }

    /// Returns the 16 bytes of a random UUID (RFC 9562, version 4).
    public static func uuidBytes() -> [UInt8] {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }

    private static func fill(_ target: UnsafeMutableRawPointer, _ count: Int) {
        #if canImport(CryptoKit)
            let status = unsafe SecRandomCopyBytes(kSecRandomDefault, count, target)
            precondition(status == errSecSuccess, "the system has no source of random bytes")
        #else
            Sodium.start()
            unsafe randombytes_buf(target, count)
        #endif
    }
}
