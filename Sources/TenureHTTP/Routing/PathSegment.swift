/// The rules for one segment of a path, by bytes.
///
/// A path is split at its slashes first and each segment decoded once after, so nothing that was encoded can move
/// a boundary. Nothing is ever normalised: a segment that would need it matches no route.
enum PathSegment {
    /// Whether the byte stands for itself and needs no second look.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x25 && byte != 0x7F
    }

    /// Whether the segment is something other than empty, `.` and `..`.
    static func isNamed(_ segment: UnsafeBufferPointer<UInt8>) -> Bool {
        switch segment.count {
        case 0: false
        case 1: segment[0] != 0x2E
        case 2: segment[0] != 0x2E || segment[1] != 0x2E
        default: true
        }
    }

    /// Answers the segment's bytes without escapes, or nil for a bad escape, an encoded slash, a control byte or a
    /// name that `isNamed` refuses.
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
