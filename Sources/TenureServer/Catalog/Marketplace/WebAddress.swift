/// Places that a catalog may name: absolute https URLs, and paths on this server.
enum WebAddress {
    /// What is wrong with a text as an https URL; nil when nothing is.
    static func fault(of text: String) -> String? {
        guard text.hasPrefix("https://") else {
            return text.hasPrefix("http://")
                ? "must begin with https://: devices do not take plain http"
                : "must be an absolute URL that begins with https://"
        }
        let rest = text.dropFirst("https://".count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let (host, port) = split(authority)
        let isPort =
            port.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16($0) != nil } ?? true
        guard HostName.fault(of: host.lowercased()) == nil, isPort else {
            return "must name a host after https://, such as https://market.example/page"
        }
        guard rest.utf8.allSatisfy(mayContain), !rest.contains("#") else {
            return "must not hold a fragment, white space or letters beyond ASCII: write them as %XX"
        }
        return nil
    }

    /// Whether a text is a path: `/` and segments of letters, digits, `-`, `_`, `.` and `~`, none of them `.` or `..`.
    static func isPath(_ text: String) -> Bool {
        guard text.hasPrefix("/"), (2...256).contains(text.utf8.count) else { return false }
        return text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).allSatisfy { segment in
            !segment.isEmpty && segment != "." && segment != ".."
                && segment.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"): true
                    default: false
                    }
                }
        }
    }

    private static func split(_ authority: Substring) -> (host: String, port: Substring?) {
        guard let colon = authority.lastIndex(of: ":") else { return (String(authority), nil) }
        return (String(authority[..<colon]), authority[authority.index(after: colon)...])
    }

    private static func mayContain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: (0x21...0x7E).contains(byte)
        }
    }
}
