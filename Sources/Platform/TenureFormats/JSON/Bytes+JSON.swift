import TenureCore

extension [UInt8] {
    /// Appends a quoted string; escapes only quotes, backslashes and control characters.
    mutating func appendJSON(_ text: String) {
        append(UInt8(ascii: "\""))
        text.withBytes { append(json: $0) }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(json utf8: UnsafeBufferPointer<UInt8>) {
        if Self.hasEscapes(utf8) {
            for byte in utf8 { appendEscaped(byte) }
        } else {
            append(contentsOf: utf8)
        }
    }

    /// Whether a byte must be escaped; looks at eight bytes at a time, because every text of a response is checked.
    private static func hasEscapes(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(utf8)
        guard bytes.count >= 8 else { return bytes.contains(where: mustBeEscaped) }
        // The last eight bytes may overlap the eight before them.
        let last = bytes.count - 8
        for index in stride(from: 0, to: last, by: 8)
        where hasEscapes(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
            return true
        }
        return hasEscapes(bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self))
    }

    /// Whether one of eight bytes, packed into a number, must be escaped: subtracting 1 from a byte that is 0 sets its
    /// highest bit.
    private static func hasEscapes(_ eight: UInt64) -> Bool {
        let one: UInt64 = 0x0101_0101_0101_0101
        let highest: UInt64 = 0x8080_8080_8080_8080
        let control = (eight &- (one &* 0x20)) & ~eight
        let quote = eight ^ (one &* 0x22)
        let backslash = eight ^ (one &* 0x5C)
        let found = control | (quote &- one) & ~quote | (backslash &- one) & ~backslash
        return found & highest != 0
    }

    /// Appends a number in decimal digits.
    package mutating func appendJSON(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        appendJSON(unsigned: number.magnitude)
    }

    /// Appends a number in decimal digits.
    mutating func appendJSON(unsigned number: UInt64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            var rest = number
            repeat {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    package mutating func appendJSON(_ truth: Bool) {
        append(contentsOf: truth ? Self.trueWord : Self.falseWord)
    }

    mutating func appendNull() {
        append(contentsOf: Self.nullWord)
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        guard Self.mustBeEscaped(byte) else { return append(byte) }
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default: append(contentsOf: [UInt8(ascii: "u"), 0x30, 0x30, Hex.digit(byte >> 4), Hex.digit(byte & 15)])
        }
    }

    @inline(__always)
    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static let trueWord = Array("true".utf8)
    private static let falseWord = Array("false".utf8)
    private static let nullWord = Array("null".utf8)
}
