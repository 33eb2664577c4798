extension JSONScanner {
    /// Scans a string with its quotes; returns whether it contains escapes.
    mutating func scanString() throws(JSONError) -> Bool {
        place += 1
        var escaped = false
        while true {
            place = endOfPlainBytes()
            guard place < end else { throw malformed("the text ends within a string") }
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
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

    /// The end of the run of bytes that need no special handling, which are most bytes of most strings.
    private func endOfPlainBytes() -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var next = place
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
            if place < end, isDigit(bytes[place]) { throw malformed("a number must not start with a zero") }
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
        switch bytes[place] {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: throw notUTF8
        }
        guard end - place >= count, second.contains(bytes[place + 1]) else { throw notUTF8 }
        for next in place + 2..<place + count where bytes[next] & 0xC0 != 0x80 { throw notUTF8 }
        place += count
    }

    private var notUTF8: JSONError {
        JSONError(.notUTF8, at: place, "the text must be encoded in UTF-8")
    }

    private mutating func scanEscape() throws(JSONError) {
        let start = place
        guard end - place >= 2 else { throw malformed("the text ends within an escape sequence") }
        place += 2
        switch bytes[place - 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            let unit = try scanHexUnit()
            guard unit & 0xF800 == 0xD800 else { return }
            if unit < 0xDC00, end - place >= 2, bytes[place] == UInt8(ascii: "\\"),
                bytes[place + 1] == UInt8(ascii: "u")
            {
                place += 2
                let low = try scanHexUnit()
                if low & 0xFC00 == 0xDC00 { return }
            }
            place = start
            throw malformed("an unpaired surrogate isn't a character; escape both halves, the high one first")
        default:
            place = start
            throw malformed("unknown escape sequence; write a backslash as \\\\")
        }
    }

    private mutating func scanHexUnit() throws(JSONError) -> UInt16 {
        guard let unit = JSONText.hexUnit(in: bytes[..<end], at: place) else {
            throw malformed("expected four hexadecimal digits after \\u")
        }
        place += 4
        return unit
    }

    private mutating func scanDigits() throws(JSONError) {
        let start = place
        while place < end, isDigit(bytes[place]) { place += 1 }
        if place == start { throw malformed("expected a digit") }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard place < end, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }
}
