import TenureCore
import TenureFormats

/// Validates a product's `activationURL`: the link in letters that activates the app with a license key.
enum ActivationURL {
    /// The text that the key replaces.
    static let placeholder = "{key}"

    /// The longest link, in bytes.
    static let longest = 512

    /// The pattern of a link in the JSON schema.
    static let pattern =
        #"^([a-z][a-z0-9+.-]*://activate/?\?([^#{}]*&)?key=\{key\}(&[^#{}]*)?|https://[^#{}]+#[^#{}]*\{key\}[^#{}]*)$"#

    /// Schemes that an app can't claim, because browsers or the system handle them.
    private static let reserved: Set<Substring> = [
        "http", "https", "file", "javascript", "vbscript", "data", "blob", "about", "mailto", "tel", "sms", "ftp", "ws",
        "wss",
    ]

    /// Returns what is wrong with a text as a link; `nil` if it's valid.
    ///
    /// With an app's own scheme, the key is in the query, which no server receives. In an `https` URL, it's in the
    /// fragment, which browsers don't send. So no server's log contains the key, even if a mail scanner opens the link.
    static func fault(of text: String) -> String? {
        let plain = text.replacing(placeholder, with: "")
        let isPlain = plain.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
        let isSingle = text.utf8.count == plain.utf8.count + placeholder.utf8.count
        guard text.utf8.count <= longest, isPlain, isSingle, isAppLink(text) || isWebLink(text) else {
            return
                "must be an app's link such as notes://activate?key={key}, or an https URL with {key} in its fragment, "
                + "such as https://acme.example/activate#{key}"
        }
        return nil
    }

    /// Whether an app reads the key from the link, as the client SDK does (`LicenseLink`).
    private static func isAppLink(_ text: String) -> Bool {
        guard let (scheme, rest) = text.cut(at: "://"), isScheme(scheme), let (path, query) = rest.cut(at: "?"),
            path == "activate" || path == "activate/", !query.contains(byte: "#")
        else { return false }
        let items = query.split(atByte: "&", omittingEmptySubsequences: false)
        return items.count { $0 == "key=\(placeholder)" } == 1
            && items.count { $0 == "key" || $0.hasPrefix("key=") } == 1
    }

    private static func isWebLink(_ text: String) -> Bool {
        guard text.hasPrefix("https://"), let (page, fragment) = text.cut(at: "#"), !page.hasSuffix("//"),
            let url = WebURL(String(page)), !url.hasUser, !url.host.isEmpty
        else { return false }
        return !page.contains(byte: "{") && !fragment.contains(byte: "#")
    }

    private static func isScheme(_ text: Substring) -> Bool {
        text.utf8.first.map { (0x61...0x7A).contains($0) } ?? false && !reserved.contains(text)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
                default: false
                }
            }
    }
}
