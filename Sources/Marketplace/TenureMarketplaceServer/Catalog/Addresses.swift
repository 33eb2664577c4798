import TenureCore
import TenureFormats

/// Checks the addresses in a catalog: absolute https URLs, and paths on this server.
enum WebAddress {
    /// Describes why a text isn't a valid https URL; `nil` if it is one.
    static func fault(of text: String) -> String? {
        guard text.hasPrefix("https://") else {
            return text.hasPrefix("http://")
                ? "must start with https://; devices don't accept plain http"
                : "must be an absolute URL that starts with https://"
        }
        let rest = text.dropFirst("https://".count)
        guard rest.utf8.allSatisfy(mayContain), !rest.contains(byte: "#") else {
            return "must not contain a fragment, white space or non-ASCII characters; write these as %XX"
        }
        guard let url = WebURL(text), !url.hasUser, CatalogHost.fault(of: url.host) == nil else {
            return "must name a host after https://, such as https://market.example/page"
        }
        return nil
    }

    /// The host of an https URL, in lower case.
    static func host(of text: String) -> String {
        WebURL(text)?.host ?? ""
    }

    /// The pattern of a shop's sign-in URL in the JSON schema.
    static let signInPattern =
        #"^(https://[!-"$-~]+|http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?([/?][!-"$-~]*)?)$"#

    /// Describes why a text isn't valid as the URL of a shop's sign-in page; `nil` if it is valid.
    ///
    /// Plain http is accepted on loopback for tests.
    static func signInFault(of text: String) -> String? {
        // The parsed host decides: in `http://127.0.0.1:80@other.example`, the beginning is a user name.
        guard text.hasPrefix("http://"), let url = WebURL(text), ["127.0.0.1", "localhost", "::1"].contains(url.host)
        else { return fault(of: text) }
        guard !url.hasUser, url.rest.utf8.allSatisfy(mayContain), !url.hasFragment else {
            return "must be an absolute URL that starts with https://, without a fragment"
        }
        return nil
    }

    /// Whether a text is a path: segments that each follow a `/`.
    ///
    /// A segment consists of letters, digits, `-`, `_`, `.` and `~`, and isn't `.` or `..`.
    static func isPath(_ text: String) -> Bool {
        guard text.hasPrefix("/"), (2...256).contains(text.utf8.count) else { return false }
        return text.dropFirst().split(atByte: "/", omittingEmptySubsequences: false).allSatisfy { segment in
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

    private static func mayContain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: (0x21...0x7E).contains(byte)
        }
    }
}

/// A host in a catalog: a DNS name or an IPv4 address, in lower case, without a port.
enum CatalogHost {
    /// The pattern of a host in the JSON schema.
    static let pattern = #"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"#

    /// Describes why a text isn't a valid host, and how to correct it; `nil` if it is one.
    static func fault(of text: String) -> String? {
        if text.cut(at: "://") != nil { return "must be a host name only, without https://" }
        if text.contains(byte: "/") { return "must be a host name only, without a path" }
        if text.contains(byte: ":") { return "must be a host name only, without a port; devices use port 443" }
        if text.utf8.contains(where: { (0x41...0x5A).contains($0) }) { return "must be in lower case" }
        return HostName.isValid(text)
            ? nil : "must be a host name such as market.example: letters, digits and - between dots"
    }
}

/// Checks the URIs to which the browser may be redirected after a sign-in.
package enum RedirectURI {
    /// The maximum number of redirect URIs of a marketplace.
    static let most = 16
    /// The maximum length of a redirect URI, in bytes.
    static let longest = 512
    /// Apple's redirect URI, which every marketplace accepts.
    package static let system = "app-distribution-oauth://"

    /// Schemes that an app can't claim, because browsers or the system handle them.
    private static let reserved: Set<String> = [
        "http", "javascript", "vbscript", "data", "file", "blob", "about", "ws", "wss", "ftp", "mailto", "tel", "sms",
        "view-source", "filesystem", "app-distribution-oauth", "marketplace-kit",
    ]

    /// Describes why a text isn't a valid redirect URI; `nil` if it is one.
    static func fault(of text: String) -> String? {
        guard (1...longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains(where: { "#\"<>\\^`{|}".contains($0) })
        else { return "must be 1 to \(longest) visible ASCII characters of a URI, without a fragment" }
        guard let scheme = text.cut(at: ":")?.before else { return "must start with https:// or an app's own scheme" }
        if scheme == "https" { return WebAddress.fault(of: text) }
        let isScheme =
            scheme.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
            && scheme.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
                default: false
                }
            }
        guard isScheme, !reserved.contains(String(scheme)) else {
            return
                "must start with https:// or an app's own scheme, in lower case, such as com.example.market:/signed-in"
        }
        return nil
    }
}
