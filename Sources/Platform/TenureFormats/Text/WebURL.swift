import TenureCore

/// An absolute URL with a host, parsed as far as needed to know which server it addresses (RFC 3986 §3).
///
/// Parsing is strict: a text that two parsers could read as different hosts is rejected. The URL isn't normalized;
/// requests use the original text.
package struct WebURL: Sendable, Hashable {
    /// The scheme in lower case, such as `https`.
    package let scheme: String
    /// Whether the URL has user information before the host.
    package let hasUser: Bool
    /// The host in lower case; an IPv6 address has no brackets.
    package let host: String
    /// The port that the URL names; `nil` if it leaves the port to the scheme.
    package let port: UInt16?
    /// Everything after the authority: empty, or beginning with `/`, `?` or `#`.
    package let rest: Substring

    /// Parses a URL of at most 8,192 visible ASCII characters; `nil` for any other text.
    ///
    /// Backslashes are rejected, as are hosts with characters other than letters, digits, `-`, `_` and inner dots.
    package init?(_ text: String) {
        guard text.utf8.count <= 8192, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C }),
            let (schemeName, behind) = text.cut(at: "://")
        else { return nil }
        scheme = schemeName.lowercased()
        guard scheme.first?.isLetter == true, scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
        else { return nil }
        let authority = behind.prefix { !"/?#".contains($0) }
        rest = behind.dropFirst(authority.count)
        let parts = authority.split(atByte: "@", omittingEmptySubsequences: false)
        guard let path = parts.last, parts.count <= 2 else { return nil }
        hasUser = parts.count == 2
        let host = path.hasPrefix("[") ? String(path.prefix { $0 != "]" }) + "]" : String(path.prefix { $0 != ":" })
        guard path.hasPrefix(host), Self.isHost(host) else { return nil }
        self.host = (host.hasPrefix("[") ? host.dropFirst().dropLast() : host[...]).lowercased()
        let behindHost = path.dropFirst(host.count)
        guard !behindHost.isEmpty else {
            port = nil
            return
        }
        guard behindHost.first == ":", behindHost.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(behindHost.dropFirst()), number > 0
        else { return nil }
        port = number
    }

    /// Whether the URL has a fragment, which is never part of a request.
    package var hasFragment: Bool { rest.contains("#") }

    /// The scheme, host and explicit port, without a trailing slash.
    package var origin: String {
        "\(scheme)://" + (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    /// Whether the host is this machine: `localhost` or a loopback address.
    package var isThisMachine: Bool {
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) })
    }

    private static func isHost(_ text: some StringProtocol) -> Bool {
        if text.hasPrefix("[") {
            // Without this check, a name or an IPv4 address in brackets would have the same ``host`` as without
            // brackets.
            return text.contains(":")
                && text.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        return (1...253).contains(text.utf8.count) && text.first != "." && text.last != "."
            && text.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }
}

/// A DNS name or an IPv4 address, without a port.
package enum HostName {
    /// Whether a text consists of labels of 1 to 63 ASCII letters, digits and inner hyphens (RFC 1123 §2.1).
    package static func isValid(_ text: some StringProtocol) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { byte in
                        switch byte {
                        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
                        default: false
                        }
                    }
            }
    }
}
