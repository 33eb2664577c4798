/// Validates and decodes one segment of a path, byte by byte.
///
/// A path is first split at its slashes, and then each segment is decoded once. So an encoded slash can't change the
/// segments. Nothing is normalized: a segment that would need normalization matches no route.
enum PathSegment {
    /// Whether the byte needs neither decoding nor a further check.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x25 && byte != 0x7F
    }

    /// Whether the segment is neither empty nor `.` nor `..`.
    static func isNamed(_ segment: UnsafeBufferPointer<UInt8>) -> Bool {
        switch segment.count {
        case 0: false
        case 1: segment[0] != 0x2E
        case 2: segment[0] != 0x2E || segment[1] != 0x2E
        default: true
        }
    }

    /// Percent-decodes a segment.
    ///
    /// Returns `nil` for an invalid escape, an encoded slash, a control byte, or a result that `isNamed` rejects.
    static func decoded(_ segment: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(segment.count)
        var index = 0
        while index < segment.count {
            var byte = segment[index]
            if byte == 0x25 {
                guard index + 2 < segment.count, let high = digit(segment[index + 1]),
                    let low = digit(segment[index + 2])
                else { return nil }
                byte = high << 4 | low
                index += 2
            }
            guard byte >= 0x20, byte != 0x7F, byte != 0x2F else { return nil }
            bytes.append(byte)
            index += 1
        }
        return bytes.withUnsafeBufferPointer(isNamed) ? bytes : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
