extension JSONScanner {
    /// Scans a string with its quotes; returns whether it contains escapes.
    mutating func scanString() throws(JSONError) -> Bool {
        position += 1
        var escaped = false
        while true {
            position = endOfPlainBytes()
            guard position < end else { throw malformed("the text ends within a string") }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return escaped
            case UInt8(ascii: "\\"):
                escaped = true
                try scanEscape()
            case 0..<0x20:
                throw malformed("a control character in a string must be escaped")
            default:
                try skipSequence()
            }
        }
    }

    /// The end of the run of bytes that need no special handling. Most bytes of most strings need none.
    private func endOfPlainBytes() -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var next = position
            while next < end {
                let byte = bytes[next]
                if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
                next += 1
            }
            return next
        }
    }

    /// Scans a number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
    mutating func scanNumber() throws(JSONError) {
        _ = skip(UInt8(ascii: "-"))
        if skip(UInt8(ascii: "0")) {
            if position < end, isDigit(bytes[position]) { throw malformed("a number must not start with a zero") }
        } else {
            try scanDigits()
        }
        if skip(UInt8(ascii: ".")) { try scanDigits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
            try scanDigits()
        }
    }

    /// Skips one well-formed UTF-8 sequence of two to four bytes (Unicode 15, table 3-7).
    mutating func skipSequence() throws(JSONError) {
        let second: ClosedRange<UInt8>
        let count: Int
        switch bytes[position] {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: throw notUTF8
        }
        guard end - position >= count, second.contains(bytes[position + 1]) else { throw notUTF8 }
        for next in position + 2..<position + count where bytes[next] & 0xC0 != 0x80 { throw notUTF8 }
        position += count
    }

    private var notUTF8: JSONError {
        JSONError(.notUTF8, at: position, "the text must be encoded in UTF-8")
    }

    private mutating func scanEscape() throws(JSONError) {
        let start = position
        guard end - position >= 2 else { throw malformed("the text ends within an escape sequence") }
        position += 2
        switch bytes[position - 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            let unit = try scanHexUnit()
            guard unit & 0xF800 == 0xD800 else { return }
            if unit < 0xDC00, end - position >= 2, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            {
                position += 2
                let low = try scanHexUnit()
                if low & 0xFC00 == 0xDC00 { return }
            }
            position = start
            throw malformed("an unpaired surrogate isn't a character; escape both halves, the high one first")
        default:
            position = start
            throw malformed("unknown escape sequence; write a backslash as \\\\")
        }
    }

    private mutating func scanHexUnit() throws(JSONError) -> UInt16 {
        guard let unit = JSONText.hexUnit(in: bytes[..<end], at: position) else {
            throw malformed("expected four hexadecimal digits after \\u")
        }
        position += 4
        return unit
    }

    private mutating func scanDigits() throws(JSONError) {
        let start = position
        while position < end, isDigit(bytes[position]) { position += 1 }
        if position == start { throw malformed("expected a digit") }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }
}
