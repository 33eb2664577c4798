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
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
                return nil
            }
            var host = text[..<colon]
            if host.first == "[", host.last == "]" {
                host = host.dropFirst().dropLast()
            } else if host.contains(":") {
                return nil
            }
            guard !host.isEmpty else { return nil }
            self = .tcp(host: String(host), port: port)
        }

        /// The text that ``init(_:)`` parses.
        public var description: String {
            switch self {
            case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
            case .unix(let path): "unix:\(path)"
            }
        }
    }
}
