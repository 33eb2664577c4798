/// Finds the end of a chunked body, and refuses every chunk that isn't strictly `SIZE CRLF DATA CRLF`.
///
/// It accepts less than RFC 9112 allows: no extension behind a size, no trailer, and at most 15 digits.
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

    /// The bytes that end the body, for a parser that has got every byte that passed.
    var ending: String {
        switch step {
        case .dataEnd, .dataEndFeed: "\r\n0\r\n\r\n"
        case .size, .sizeEnd, .bodyEnd, .bodyEndFeed: "0\r\n\r\n"
        // Data may have any bytes, so it's never refused.
        case .data, .complete: ""
        }
    }

    /// Scans bytes from an index on, and moves the index behind them; `passed` becomes the index up to which they may
    /// be passed on.
    ///
    /// Returns `false` if the next byte must be refused.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, _ index: inout Int, passed: inout Int) -> Bool {
        while index < bytes.count, step != .complete {
            if step == .data {
                let count = min(size, bytes.count - index)
                size -= count
                index += count
                passed = index
                if size == 0 { step = .dataEnd }
                continue
            }
            guard unsafe take(bytes[index]) else { return false }
            index += 1
            if [.data, .complete].contains(step) || (step == .size && digits == 0) { passed = index }
        }
        return true
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

    /// The value of a hexadecimal digit.
    private static func value(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x41...0x46: Int(byte - 0x41) + 10
        case 0x61...0x66: Int(byte - 0x61) + 10
        default: nil
        }
    }
}
