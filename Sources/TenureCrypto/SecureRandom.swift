import CSodium

/// Random numbers that nobody can foresee, from the system's source.
public struct SecureRandom: RandomNumberGenerator, Sendable {
    /// Makes a generator; all of them draw from the same source.
    public init() {}

    /// Answers 64 random bits.
    public mutating func next() -> UInt64 {
        Sodium.start()
        var number: UInt64 = 0
        unsafe randombytes_buf(&number, MemoryLayout<UInt64>.size)
        return number
    }

    /// Answers that many random bytes.
    public static func bytes(_ count: Int) -> [UInt8] {
        Sodium.start()
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let base = buffer.baseAddress { unsafe randombytes_buf(base, count) }
            filled = count
        }
    }

    /// Answers the 16 bytes of a random UUID (RFC 9562, version 4).
    public static func uuidBytes() -> [UInt8] {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }
}
