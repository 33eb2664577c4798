/// Finds the data and the end of a chunked body, and refuses every chunk that isn't strictly `SIZE CRLF DATA CRLF`.
///
/// It accepts less than RFC 9112 allows: no extension after a size, no trailer, and at most 15 digits.
struct ChunkScanner {
    private enum Step {
        case size, sizeEnd, data, dataEnd, dataEndFeed, bodyEnd, bodyEndFeed, complete
    }

    private static let mostDigits = 15

    private var step = Step.size
    private var digits = 0
    private var size = 0

    /// Whether the body has ended.
    var isComplete: Bool { step == .complete }

    /// Scans bytes from an index on, up to the end of the next data or of the body, and moves the index past them.
    ///
    /// Returns the range of the data that was read, which may be empty; `nil` if the next byte must be refused.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Range<Int>? {
        while index < bytes.count, step != .complete {
            if step == .data {
                let start = index
                index += min(size, bytes.count - index)
                size -= index - start
                if size == 0 { step = .dataEnd }
                return start..<index
            }
            guard unsafe take(bytes[index]) else { return nil }
            index += 1
        }
        return index..<index
    }

    /// Takes a byte that isn't data; returns `false` to refuse it.
    private mutating func take(_ byte: UInt8) -> Bool {
        switch step {
        case .size:
            if byte == UInt8(ascii: "\r"), digits > 0 {
                step = .sizeEnd
                return true
            }
            guard digits < Self.mostDigits, let value = Self.value(byte) else { return false }
            size = size << 4 | value
            digits += 1
            return true
        case .sizeEnd: return advance(byte == UInt8(ascii: "\n"), to: size > 0 ? .data : .bodyEnd)
        case .dataEnd: return advance(byte == UInt8(ascii: "\r"), to: .dataEndFeed)
        case .dataEndFeed:
            digits = 0
            return advance(byte == UInt8(ascii: "\n"), to: .size)
        case .bodyEnd: return advance(byte == UInt8(ascii: "\r"), to: .bodyEndFeed)
        case .bodyEndFeed: return advance(byte == UInt8(ascii: "\n"), to: .complete)
        case .data, .complete: return true
        }
    }

    private mutating func advance(_ isRight: Bool, to next: Step) -> Bool {
        if isRight { step = next }
        return isRight
    }

    /// The value of a hexadecimal digit in either case; `nil` for any other byte.
    private static func value(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x41...0x46: Int(byte - 0x41) + 10
        case 0x61...0x66: Int(byte - 0x61) + 10
        default: nil
        }
    }
}
