import TenureHTTP

/// The path and query of a request line, as received.
struct Target {
    var path = ""
    var query = ""
    /// The host and port of an absolute URL (RFC 9112, 3.2.2); `nil` for a path.
    var authority: String?
    /// Whether the target is UTF-8; otherwise path and query are empty.
    var isText = false

    /// Splits a target at its first question mark, and an absolute URL also after its host.
    init(_ bytes: UnsafeRawBufferPointer) {
        let start = Self.schemes.first { unsafe Self.begins(bytes, with: $0) }?.count ?? 0
        let isMark: (UInt8) -> Bool = { $0 == UInt8(ascii: "?") || start > 0 && $0 == UInt8(ascii: "/") }
        let slash = unsafe start == 0 ? 0 : bytes[start...].firstIndex(where: isMark) ?? bytes.count
        let end = unsafe bytes[slash...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        guard let path = unsafe Self.text(bytes[slash..<end]) else { return }
        if end < bytes.count {
            guard let query = unsafe Self.text(bytes[(end + 1)...]) else { return }
            self.query = query
        }
        if start > 0 {
            guard let authority = unsafe Self.text(bytes[start..<slash]) else { return }
            self.authority = authority
        }
        self.path = start > 0 && path.isEmpty ? "/" : path
        isText = true
    }

    private static let schemes = ["http://", "https://"].map { Array($0.utf8) }

    /// Whether a target begins with a scheme, in any case.
    private static func begins(_ bytes: UnsafeRawBufferPointer, with scheme: [UInt8]) -> Bool {
        // Most targets are paths.
        guard bytes.count >= scheme.count, unsafe bytes[0] != UInt8(ascii: "/") else { return false }
        return unsafe zip(bytes, scheme).allSatisfy { ((0x41...0x5A).contains($0) ? $0 | 0x20 : $0) == $1 }
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String? {
        unsafe UnsafeRawBufferPointer(rebasing: bytes)
            .withMemoryRebound(to: UInt8.self) { unsafe String(utf8: $0.span) }
    }
}

/// The `Host` field: a host and an optional port, or nothing (RFC 9110, 7.2; RFC 3986, 3.2.2).
enum HostField {
    static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8.span
        guard let end = endOfHost(bytes) else { return false }
        if end == bytes.count { return true }
        guard bytes[end] == colon else { return false }
        return ((end + 1)..<bytes.count).allSatisfy { (0x30...0x39).contains(bytes[$0]) }
    }

    /// Where the host ends; `nil` if it isn't valid.
    private static func endOfHost(_ bytes: Span<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        var index = 0
        guard bytes[0] == UInt8(ascii: "[") else {
            while index < bytes.count, bytes[index] != colon {
                if isInName(bytes[index]) {
                    index += 1
                } else {
                    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, isHexadecimal(bytes[index + 1]),
                        isHexadecimal(bytes[index + 2])
                    else { return nil }
                    index += 3
                }
            }
            return index
        }
        var hasColon = false
        index = 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
            let byte = bytes[index]
            guard isHexadecimal(byte) || byte == colon || byte == UInt8(ascii: ".") else { return nil }
            hasColon = hasColon || byte == colon
            index += 1
        }
        return hasColon && index < bytes.count ? index + 1 : nil
    }

    private static let colon = UInt8(ascii: ":")

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }

    /// Whether a byte may occur in a registered name: an unreserved byte or a sub-delimiter.
    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // !, $, & to ., ;, =, _ and ~
        case 0x21, 0x24, 0x26...0x2E, 0x3B, 0x3D, 0x5F, 0x7E: true
        default: false
        }
    }
}
