/// An absolute URL with a host, taken apart as far as it matters who is asked (RFC 3986 §3).
///
/// Read strictly: a text that two readers could take for different hosts is none. It is not resolved, and what is sent is
/// the text that was read.
package struct WebURL: Sendable, Hashable {
    /// The scheme in small letters, such as `https`.
    package let scheme: String
    /// Whether a name, or a name and a password, stands before the host.
    package let hasUser: Bool
    /// The host in small letters; an IPv6 address has no brackets.
    package let host: String
    /// The port that is named; nil where none is.
    package let port: UInt16?
    /// All that follows: empty, or from `/`, `?` or `#` on.
    package let rest: Substring

    /// Reads at most 8,192 visible ASCII characters; nil for anything else that is no such URL, one with a backslash, or
    /// with a host that holds more than letters, digits, `-`, `_` and inner dots.
    package init?(_ text: String) {
        guard text.utf8.count <= 8192, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C }),
            let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
        else { return nil }
        scheme = text[..<colon].lowercased()
        guard scheme.first?.isLetter == true, scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
        else { return nil }
        let behind = text[colon...].dropFirst(3)
        let authority = behind.prefix { !"/?#".contains($0) }
        rest = behind.dropFirst(authority.count)
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
        guard let place = parts.last, parts.count <= 2 else { return nil }
        hasUser = parts.count == 2
        let name = place.hasPrefix("[") ? String(place.prefix { $0 != "]" }) + "]" : String(place.prefix { $0 != ":" })
        guard place.hasPrefix(name), Self.isHost(name) else { return nil }
        host = (name.hasPrefix("[") ? name.dropFirst().dropLast() : name[...]).lowercased()
        let behindHost = place.dropFirst(name.count)
        guard !behindHost.isEmpty else {
            port = nil
            return
        }
        guard behindHost.first == ":", behindHost.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(behindHost.dropFirst()), number > 0
        else { return nil }
        port = number
    }

    /// Whether there is a fragment, which no request carries.
    package var hasFragment: Bool { rest.contains("#") }

    /// Scheme, host and the port that is named, without a slash behind them.
    package var origin: String {
        "\(scheme)://" + (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    /// Whether the host is this machine, by its name or a loopback address.
    package var isThisMachine: Bool {
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) })
    }

    private static func isHost(_ text: some StringProtocol) -> Bool {
        if text.hasPrefix("[") {
            return text.count > 2 && text.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        return (1...253).contains(text.utf8.count) && text.first != "." && text.last != "."
            && text.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }
}
