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

    /// The host of a text that is an https URL, in lower case.
    static func host(of text: String) -> String {
        let rest = text.dropFirst("https://".count)
        return split(rest.prefix { !"/?#".contains($0) }).host.lowercased()
    }

    /// What tools are told of the place where a shop's people sign in.
    static let signInPattern = "^https?://[!-~]+$"

    /// What is wrong with a text as that place; nil when nothing is. Plain http is for a shop on this machine, while trying
    /// things out.
    static func signInFault(of text: String) -> String? {
        let local = ["http://127.0.0.1", "http://localhost", "http://[::1]"]
        guard let start = local.first(where: { text.hasPrefix($0) }) else { return fault(of: text) }
        let rest = text.dropFirst(start.count)
        guard rest.first.map({ ":/?".contains($0) }) ?? true, rest.utf8.allSatisfy(mayContain), !rest.contains("#")
        else {
            return "must be an absolute URL that begins with https://, without a fragment"
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

/// A host as the catalog names it: a DNS name or an IPv4 address, in lower case, without a port.
enum HostName {
    /// What tools are told of one.
    static let pattern = #"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"#

    /// What is wrong with a text as a host, and what would be right; nil when nothing is.
    static func fault(of text: String) -> String? {
        if text.contains("://") { return "must be a host alone, without https://" }
        if text.contains("/") { return "must be a host alone, without a path" }
        if text.contains(":") { return "must be a host alone, without a port: devices use 443" }
        if text.utf8.contains(where: { (0x41...0x5A).contains($0) }) { return "must be in lower case" }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isHost = (1...253).contains(text.utf8.count) && labels.allSatisfy(isLabel)
        return isHost ? nil : "must be a host such as market.example: letters, digits and - between dots"
    }

    private static func isLabel(_ label: Substring.UTF8View.SubSequence) -> Bool {
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            && label.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}

/// What is taken for an e-mail address; whether it works only a letter can show.
public enum EmailAddress {
    /// What tools are told of one.
    static let pattern = #"^[^@\s]+@[^@\s]+$"#

    /// Whether a text has one `@` with something on both sides, no white space, control characters or characters that
    /// nobody sees, in 3 to 254 bytes.
    ///
    /// With a zero-width space in it, one person's address would be taken for another's.
    public static func isOne(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && !text.unicodeScalars.contains(where: isUnseen)
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return scalar.value <= 0x20 || scalar.value == 0x7F }
        let properties = scalar.properties
        return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
            || [.control, .format].contains(properties.generalCategory)
    }
}

/// Where an app may have a person sent back after signing in.
package enum RedirectURI {
    /// How many a marketplace has.
    static let most = 16
    /// The longest, in bytes.
    static let longest = 512
    /// The system's own, which every marketplace has.
    package static let system = "app-distribution-oauth://"

    /// Schemes that are no app's own: what a browser does with them is not to hand them to an app.
    private static let taken: Set<String> = [
        "http", "javascript", "vbscript", "data", "file", "blob", "about", "ws", "wss", "ftp", "mailto", "tel", "sms",
        "view-source", "filesystem", "app-distribution-oauth", "marketplace-kit",
    ]

    /// What is wrong with a text as such a place; nil when nothing is.
    static func fault(of text: String) -> String? {
        guard (1...longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains(where: { "#\"<>\\^`{|}".contains($0) })
        else { return "must be 1 to \(longest) visible ASCII characters of a URI, without a fragment" }
        guard let colon = text.firstIndex(of: ":") else { return "must begin with https:// or an app's own scheme" }
        let scheme = text[..<colon]
        if scheme == "https" { return WebAddress.fault(of: text) }
        let isScheme =
            scheme.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
            && scheme.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
                default: false
                }
            }
        guard isScheme, !taken.contains(String(scheme)) else {
            return
                "must begin with https:// or an app's own scheme, in lower case, such as com.example.market:/signed-in"
        }
        return nil
    }
}
