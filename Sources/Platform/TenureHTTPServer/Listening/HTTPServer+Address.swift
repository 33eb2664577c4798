extension HTTPServer {
    /// The address that a server listens on.
    public enum Address: Sendable, Hashable, CustomStringConvertible {
        /// A TCP port on a host's address or name; port 0 selects any free port.
        case tcp(host: String, port: UInt16)
        /// A Unix domain socket at a path, created with mode 0660 and removed when the server stops.
        case unix(path: String)

        /// Parses `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`; `nil` for anything else.
        public init?(_ text: String) {
            if text.hasPrefix("unix:") {
                let path = text.dropFirst(5)
                guard !path.isEmpty else { return nil }
                self = .unix(path: String(path))
                return
            }
            // Searched by bytes, because a colon and a combining mark after it form one character, which isn't equal to
            // a colon.
            guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
                text[colon...].utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
                let port = UInt16(text[text.utf8.index(after: colon)...])
            else { return nil }
            var host = text[..<colon].utf8
            let hasBrackets = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]")
            if hasBrackets { host = host.dropFirst().dropLast() }
            guard !host.isEmpty, hasBrackets == host.contains(UInt8(ascii: ":")),
                !host.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") })
            else { return nil }
            self = .tcp(host: String(Substring(host)), port: port)
        }

        /// The text that ``init(_:)`` parses.
        public var description: String {
            switch self {
            case .tcp(let host, let port) where host.utf8.contains(UInt8(ascii: ":")): "[\(host)]:\(port)"
            case .tcp(let host, let port): "\(host):\(port)"
            case .unix(let path): "unix:\(path)"
            }
        }
    }
}
