#if canImport(CryptoKit)
    import Darwin
#else
    import CSodium
#endif

/// Compares two secrets in a time that doesn't depend on where they differ; their lengths aren't protected.
public func constantTimeEquals(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    #if canImport(CryptoKit)
        return unsafe timingsafe_bcmp(one, other, one.count) == 0
    #else
        return unsafe sodium_memcmp(one, other, one.count) == 0
    #endif
}

#if !canImport(CryptoKit)
    /// Selects between secrets with masks, without branches or indices that depend on them.
    ///
    /// Swift doesn't guarantee this. The optimized machine code of these functions has no branches.
    enum ConstantTimeBits {
        /// All ones if both numbers are equal, otherwise zero.
        static func isEqual(_ one: Int, _ other: Int) -> UInt {
            isLess(UInt(bitPattern: one ^ other), 1)
        }

        /// All ones if the first number is less than the second, otherwise zero.
        static func isLess(_ one: UInt, _ other: UInt) -> UInt {
            let borrow = ~one & other | (~(one ^ other) & (one &- other))
            return 0 &- (borrow >> UInt(UInt.bitWidth - 1))
        }

        /// Selects `first` if the mask is all ones and `second` if it is zero; returns as many bytes as `second` has.
        ///
        /// `first` must be at least as long as `second`.
        static func choose(_ first: [UInt8], over second: [UInt8], if mask: UInt) -> [UInt8] {
            let mask = UInt8(truncatingIfNeeded: mask)
            return second.indices.map { first[$0] & mask | second[$0] & ~mask }
        }
    }
#endif
