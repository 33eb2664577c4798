/// The encoding of RFC 2045 §6.7 for text, with lines of at most 76 characters.
enum QuotedPrintable {
    static func encode(_ text: String) -> [UInt8] {
        var encoded: [UInt8] = []
        let lines = lines(of: text)
        for (index, line) in lines.enumerated() {
            if index == lines.count - 1, line.isEmpty { break }
            append(line, to: &encoded)
            encoded += [0x0D, 0x0A]
        }
        return encoded
    }

    /// Splits a text at CRLF, CR and LF. It compares bytes, because Swift treats CR LF as one `Character`.
    private static func lines(of text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var isAfterReturn = false
        for byte in text.utf8 {
            switch byte {
            case 0x0D: lines.append([])
            case 0x0A: if !isAfterReturn { lines.append([]) }
            default: lines[lines.count - 1].append(byte)
            }
            isAfterReturn = byte == 0x0D
        }
        return lines
    }

    private static func append(_ line: some Collection<UInt8>, to encoded: inout [UInt8]) {
        let isFrom = line.starts(with: "From ".utf8)
        var (length, left) = (0, line.count)
        for byte in line {
            left -= 1
            var unit = Self.unit(byte, isFirst: length == 0, isLast: left == 0, isFrom: isFrom)
            // A soft line break needs room for one more character.
            if length + unit.count > (left == 0 ? 76 : 75) {
                encoded += "=\r\n".utf8
                length = 0
                unit = Self.unit(byte, isFirst: true, isLast: left == 0, isFrom: false)
            }
            encoded += unit
            length += unit.count
        }
    }

    /// Returns a byte unchanged or encoded.
    ///
    /// A dot, or the F of `From ` at the start of a line, is encoded, because mail servers change such lines.
    private static func unit(_ byte: UInt8, isFirst: Bool, isLast: Bool, isFrom: Bool) -> [UInt8] {
        let isLiteral =
            switch byte {
            case 0x3D: false
            case 0x2E: !isFirst
            case 0x46: !(isFirst && isFrom)
            case 0x20, 0x09: !isLast
            default: (0x21...0x7E).contains(byte)
            }
        return isLiteral ? [byte] : hex(byte)
    }

    private static func hex(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [0x3D, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
