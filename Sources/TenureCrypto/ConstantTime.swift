#if canImport(CryptoKit)
    import Darwin
#else
    import CSodium
#endif

/// Compares secrets in a time that does not tell where they differ; their lengths are not kept secret.
public func constantTimeEquals(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    #if canImport(CryptoKit)
        return unsafe timingsafe_bcmp(one, other, one.count) == 0
    #else
        return unsafe sodium_memcmp(one, other, one.count) == 0
    #endif
}

#if !canImport(CryptoKit)
    /// Choices between secrets by masks, without a branch or an index that depends on them.
    ///
    /// No compiler promises to keep it so; what the optimizer makes of these lines has no branch.
    enum ConstantTimeBits {
        /// All ones when both are the same, else zero.
        static func isEqual(_ one: Int, _ other: Int) -> UInt {
            isLess(UInt(bitPattern: one ^ other), 1)
        }

        /// All ones when one number is less than the other, else zero.
        static func isLess(_ one: UInt, _ other: UInt) -> UInt {
            let borrow = ~one & other | (~(one ^ other) & (one &- other))
            return 0 &- (borrow >> UInt(UInt.bitWidth - 1))
        }

        /// As many bytes as the second has: from the first when the mask is all ones, from the second when it is zero.
        ///
        /// The first must be at least as long.
        static func choose(_ first: [UInt8], over second: [UInt8], if mask: UInt) -> [UInt8] {
            let mask = UInt8(truncatingIfNeeded: mask)
            return second.indices.map { first[$0] & mask | second[$0] & ~mask }
        }
    }
#endif
