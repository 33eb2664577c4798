/// Makes request ids: 16 hexadecimal digits each, from a seed that the system drew.
///
/// They are unlike each other, not secret. One per event thread, so there is nothing to lock.
struct RequestIDs {
    private var state: UInt64

    init() {
        var generator = SystemRandomNumberGenerator()
        state = generator.next()
    }

    mutating func next() -> String {
        // SplitMix64: each state gives another number, so an id comes again only after 2^64 others.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return unsafe String(unsafeUninitializedCapacity: 16) { digits in
            for index in 0..<16 {
                let nibble = UInt8(truncatingIfNeeded: mixed >> (60 - 4 * UInt64(index))) & 15
                unsafe digits[index] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
            }
            return 16
        }
    }
}
