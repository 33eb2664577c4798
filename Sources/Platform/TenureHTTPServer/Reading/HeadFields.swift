/// Reads the few header fields that decide where a request ends and whether it may be handled.
struct HeadFields {
    private enum Name {
        case host, expect, cookie, contentLength, transferEncoding

        /// The name that begins with a letter; `content-length` begins like `cookie`.
        init?(first letter: UInt8) {
            switch letter {
            case UInt8(ascii: "h"): self = .host
            case UInt8(ascii: "e"): self = .expect
            case UInt8(ascii: "c"): self = .cookie
            case UInt8(ascii: "t"): self = .transferEncoding
            default: return nil
            }
        }

        var text: StaticString {
            switch self {
            case .host: "host"
            case .expect: "expect"
            case .cookie: "cookie"
            case .contentLength: "content-length"
            case .transferEncoding: "transfer-encoding"
            }
        }

        func hasLetter(_ byte: UInt8, at index: Int) -> Bool {
            unsafe index < text.utf8CodeUnitCount && text.utf8Start[index] == byte
        }
    }

    /// The memory in bytes that libmicrohttpd needs for each field, and for each cookie of a field.
    static let memoryPerField = 64
    private static let chunked: StaticString = "chunked"

    /// Whether the request is HTTP/1.0, which knows neither a required host nor chunked bodies.
    var isOld = false
    /// What the fields so far say about the body.
    private(set) var head = HeadScanner.Head()
    /// The field that matters whose name begins like the current one, and then the field of the current value.
    private var current: Name?
    /// The number of bytes in the current name or value.
    private var length = 0
    private var hasFault = false
    private var (hosts, contentLengths, transferEncodings) = (0, 0, 0)

    /// Whether each byte of the current field's value must be passed to ``addToValue(_:)``.
    var isValueRead: Bool {
        switch current {
        case .contentLength, .transferEncoding, .cookie: true
        case .host, .expect, nil: false
        }
    }

    mutating func beginName() {
        length = 0
    }

    mutating func addToName(_ byte: UInt8) {
        let letter = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        if length == 0 {
            current = Name(first: letter)
        } else if let name = current, !name.hasLetter(letter, at: length) {
            let isContent = name == .cookie && length == 2 && letter == UInt8(ascii: "n")
            current = isContent ? .contentLength : nil
        }
        length += 1
    }

    /// Ends the name; returns the memory that its field needs beyond the bytes of the head.
    mutating func endName() -> Int {
        if let name = current, name.text.utf8CodeUnitCount != length { current = nil }
        length = 0
        switch current {
        case .host: hosts += 1
        case .expect: head.expectsContinue = true
        case .contentLength: contentLengths += 1
        case .transferEncoding: transferEncodings += 1
        case .cookie: return 2 * Self.memoryPerField
        case nil: break
        }
        return Self.memoryPerField
    }

    /// Adds a byte to a value; returns the memory that it needs beyond the bytes of the head.
    mutating func addToValue(_ byte: UInt8) -> Int {
        defer { length += 1 }
        switch current {
        case .contentLength:
            // 18 digits are always a number, and more than any body has. A second field's digits would be added to them.
            guard contentLengths == 1, (0x30...0x39).contains(byte), length < 18 else {
                hasFault = true
                return 0
            }
            head.contentLength = head.contentLength * 10 + Int(byte - 0x30)
        case .transferEncoding:
            let letter = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            let isRight = unsafe length < Self.chunked.utf8CodeUnitCount && letter == Self.chunked.utf8Start[length]
            if !isRight { hasFault = true }
        case .cookie:
            return byte == UInt8(ascii: ";") ? 1 + Self.memoryPerField : 1
        case .host, .expect, nil:
            break
        }
        return 0
    }

    /// Ends the value.
    mutating func endValue() {
        switch current {
        case .contentLength where length == 0: hasFault = true
        case .transferEncoding where length < Self.chunked.utf8CodeUnitCount: hasFault = true
        case .transferEncoding: head.isChunked = true
        case .contentLength, .cookie, .host, .expect, nil: break
        }
        current = nil
    }

    /// Whether the host and the end of the body are unambiguous (RFC 9112, 3.2 and 6.3).
    var areClear: Bool {
        if hasFault || hosts > 1 || (hosts == 0 && !isOld) { return false }
        if contentLengths > 1 || transferEncodings > 1 { return false }
        return transferEncodings == 0 || (contentLengths == 0 && !isOld)
    }
}
