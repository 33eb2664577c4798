extension [UInt8] {
    /// Appends a quoted string; escapes only quotes, backslashes and control characters.
    mutating func appendJSON(_ text: String) {
        append(UInt8(ascii: "\""))
        // Unlike `withUTF8`, this needs no copy of the string. Only a bridged string isn't contiguous.
        if text.utf8.withContiguousStorageIfAvailable({ append(json: $0) }) == nil {
            Array(text.utf8).withUnsafeBufferPointer { append(json: $0) }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(json utf8: UnsafeBufferPointer<UInt8>) {
        // A check without branches lets the compiler vectorize the loop.
        var special: UInt8 = 0
        for byte in utf8 { special |= Self.mustBeEscaped(byte) ? 1 : 0 }
        if special != 0 {
            for byte in utf8 { appendEscaped(byte) }
        } else {
            append(contentsOf: utf8)
        }
    }

    /// Appends a number in decimal digits.
    package mutating func appendJSON(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        appendJSON(unsigned: number.magnitude)
    }

    /// Appends a number in decimal digits.
    mutating func appendJSON(unsigned number: UInt64) {
        var rest = number
        var digits = 1
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        append(contentsOf: repeatElement(0, count: digits))
        rest = number
        // Written in place from the last digit: reversing a slice would copy everything written so far.
        for place in stride(from: count - 1, to: count - 1 - digits, by: -1) {
            self[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
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
