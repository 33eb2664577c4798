/// An activation's id: a random UUID of version 4 (Keylight's `instance_id`).
public struct ActivationID: Sendable, Hashable, CustomStringConvertible {
    /// The UUID's 16 bytes in two halves, most significant first.
    public let high: UInt64, low: UInt64

    /// Creates an id from its halves without checking the version bits, for an id that a store has written.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Generates a new id with 122 random bits.
    public static func random(using generator: inout some RandomNumberGenerator) -> ActivationID {
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return ActivationID(high: high, low: low)
    }

    /// Parses the usual 36-character form in upper or lower case; returns `nil` for any other text.
    public init?(text: String) {
        guard let id = text.withBytes(Self.init(bytes:)) else { return nil }
        self = id
    }

    private init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 36 else { return nil }
        var nibbles: (high: UInt64, low: UInt64, count: Int) = (0, 0, 0)
        for (index, byte) in bytes.enumerated() {
            if Self.isHyphen(index) {
                guard byte == 0x2D else { return nil }
                continue
            }
            let nibble: UInt8
            switch byte {
            case 0x30...0x39: nibble = byte - 0x30
            case 0x41...0x46: nibble = byte - 0x41 + 10
            case 0x61...0x66: nibble = byte - 0x61 + 10
            default: return nil
            }
            if nibbles.count < 16 {
                nibbles.high = nibbles.high << 4 | UInt64(nibble)
            } else {
                nibbles.low = nibbles.low << 4 | UInt64(nibble)
            }
            nibbles.count += 1
        }
        self.init(high: nibbles.high, low: nibbles.low)
    }

    /// The usual 36-character form in lower case.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var index = 0
            for nibble in 0..<32 {
                if Self.isHyphen(index) {
                    buffer[index] = 0x2D
                    index += 1
                }
                let half = nibble < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - nibble % 16 * 4)) & 15
                buffer[index] = value < 10 ? 0x30 + value : 0x61 + value - 10
                index += 1
            }
            return 36
        }
    }

    private static func isHyphen(_ index: Int) -> Bool {
        switch index {
        case 8, 13, 18, 23: true
        default: false
        }
    }
}
