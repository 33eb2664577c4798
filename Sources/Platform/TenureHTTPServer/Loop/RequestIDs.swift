/// Generates request ids of 13 base-32 digits, from a random seed.
///
/// A text of that length needs no allocation.
/// The ids are unique but not secret. Each event thread has its own generator, so no lock is needed.
struct RequestIDs {
    private var state: UInt64

    init() {
        var generator = SystemRandomNumberGenerator()
        state = generator.next()
    }

    mutating func next() -> String {
        // SplitMix64: each state yields a different number, so an id repeats only after 2^64 others.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return unsafe String(unsafeUninitializedCapacity: 13) { digits in
            for index in 0..<13 {
                let digit = UInt8(truncatingIfNeeded: mixed >> (60 - 5 * UInt64(index))) & 31
                unsafe digits[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
            }
            return 13
        }
    }
}
