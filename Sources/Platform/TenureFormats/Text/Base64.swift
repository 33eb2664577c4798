/// Base64 encoding and decoding (RFC 4648).
public enum Base64 {
    /// Encodes bytes with the standard alphabet and padding.
    public static func encode(_ bytes: [UInt8]) -> String {
        text(bytes, standard, padded: true)
    }

    /// Encodes bytes with the URL-safe alphabet and without padding, as JWS requires.
    public static func encodeURL(_ bytes: [UInt8]) -> String {
        text(bytes, url, padded: false)
    }

    /// Appends bytes in the standard alphabet with padding to a text in UTF-8.
    static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        append(bytes, standard, padded: true, to: &text)
    }

    /// Appends bytes in the URL-safe alphabet without padding to a text in UTF-8.
    static func appendURL(_ bytes: [UInt8], to text: inout [UInt8]) {
        append(bytes, url, padded: false, to: &text)
    }

    /// The length of the encoding of `count` bytes in the URL-safe alphabet without padding.
    static func lengthURL(_ count: Int) -> Int { (count * 4 + 2) / 3 }

    /// Decodes the variants that the verifiers in Keylight's SDKs accept: either alphabet, optional padding, white
    /// space anywhere.
    ///
    /// Returns `nil` for any other character, an impossible length, wrong padding or leftover bits that aren't zero.
    /// Apart from the variations above, bytes therefore have only one encoding.
    public static func decodeLenient(_ text: String) -> [UInt8]? {
        var digits: [UInt8] = []
        digits.reserveCapacity(text.utf8.count)
        var padding = 0
        for character in text.utf8 {
            switch character {
            case 0x20, 0x09...0x0D: continue
            case UInt8(ascii: "="): padding += 1
            case _ where padding > 0: return nil
            case UInt8(ascii: "-"): digits.append(62)
            case UInt8(ascii: "_"): digits.append(63)
            default:
                guard let value = value(of: character) else { return nil }
                digits.append(value)
            }
        }
        guard padding == 0 || (padding <= 2 && (digits.count + padding).isMultiple(of: 4)) else { return nil }
        return bytes(digits)
    }

    /// Decodes the standard alphabet with padding and no white space; `nil` for anything else (RFC 4648 §3).
    public static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { characters in
            guard characters.count.isMultiple(of: 4) else { return nil }
            let padding = characters.suffix(2).count { $0 == UInt8(ascii: "=") }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(characters.count / 4 * 3)
            var bits = Bits()
            for character in characters.dropLast(padding) {
                guard let digit = value(of: character) else { return nil }
                if let byte = bits.add(digit) { bytes.append(byte) }
            }
            return bits.isEmpty ? bytes : nil
        }
    }

    /// Decodes the URL-safe alphabet without padding and white space; `nil` for anything else (RFC 7515 §2).
    public static func decodeURL(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { characters in
            guard characters.count % 4 != 1 else { return nil }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(characters.count * 3 / 4)
            var bits = Bits()
            for character in characters {
                let digit: UInt8
                switch character {
                case UInt8(ascii: "-"): digit = 62
                case UInt8(ascii: "_"): digit = 63
                case UInt8(ascii: "+"), UInt8(ascii: "/"): return nil
                default:
                    guard let value = value(of: character) else { return nil }
                    digit = value
                }
                if let byte = bits.add(digit) { bytes.append(byte) }
            }
            return bits.isEmpty ? bytes : nil
        }
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = Array((letters + "+/").utf8)
    private static let url = Array((letters + "-_").utf8)

    private static func text(_ bytes: [UInt8], _ alphabet: [UInt8], padded: Bool) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
            write(bytes, alphabet, padded: padded, into: text)
        }
    }

    private static func append(_ bytes: [UInt8], _ alphabet: [UInt8], padded: Bool, to text: inout [UInt8]) {
        let start = text.count
        let length = padded ? (bytes.count + 2) / 3 * 4 : lengthURL(bytes.count)
        text.append(contentsOf: repeatElement(0, count: length))
        text.withUnsafeMutableBufferPointer { text in
            _ = write(bytes, alphabet, padded: padded, into: UnsafeMutableBufferPointer(rebasing: text[start...]))
        }
    }

    /// Writes the encoding of bytes, and returns its length.
    private static func write(
        _ bytes: [UInt8], _ alphabet: [UInt8], padded: Bool, into text: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            alphabet.withUnsafeBufferPointer { alphabet in
                var (start, written) = (0, 0)
                while start + 3 <= bytes.count {
                    let group =
                        UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
                    text[written] = alphabet[Int(group >> 18)]
                    text[written + 1] = alphabet[Int(group >> 12 & 63)]
                    text[written + 2] = alphabet[Int(group >> 6 & 63)]
                    text[written + 3] = alphabet[Int(group & 63)]
                    start += 3
                    written += 4
                }
                guard start < bytes.count else { return written }
                let isAlone = start + 1 == bytes.count
                let group = UInt32(bytes[start]) << 16 | (isAlone ? 0 : UInt32(bytes[start + 1]) << 8)
                text[written] = alphabet[Int(group >> 18)]
                text[written + 1] = alphabet[Int(group >> 12 & 63)]
                written += 2
                if !isAlone {
                    text[written] = alphabet[Int(group >> 6 & 63)]
                    written += 1
                }
                guard padded else { return written }
                for _ in 0..<(isAlone ? 2 : 1) {
                    text[written] = UInt8(ascii: "=")
                    written += 1
                }
                return written
            }
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 0x41...0x5A: character - 0x41
        case 0x61...0x7A: character - 0x61 + 26
        case 0x30...0x39: character - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func bytes(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var bits = Bits()
        for digit in digits { if let byte = bits.add(digit) { bytes.append(byte) } }
        return bits.isEmpty ? bytes : nil
    }

    /// The bits of digits that aren't part of a byte yet.
    private struct Bits {
        private var bits: UInt32 = 0
        private var count: UInt32 = 0

        /// Whether the bits are all zero, as they must be at the end.
        var isEmpty: Bool { bits == 0 }

        /// Adds a digit's six bits; returns the byte that they complete.
        mutating func add(_ digit: UInt8) -> UInt8? {
            bits = bits << 6 | UInt32(digit)
            count += 6
            guard count >= 8 else { return nil }
            count -= 8
            defer { bits &= 1 << count - 1 }
            return UInt8(truncatingIfNeeded: bits >> count)
        }
    }
}
