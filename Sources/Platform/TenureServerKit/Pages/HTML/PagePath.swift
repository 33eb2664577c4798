/// A path on this server with an optional query.
///
/// Every segment and query value is percent-encoded, so that no value can change the structure of the path.
package struct PagePath: Sendable, Hashable {
    /// The path as it appears in a page or in a `Location` header.
    package let text: String

    /// The root path, `/`.
    static let root = PagePath(text: "/")

    private init(text: String) { self.text = text }

    /// Creates a path from segments and query parameters. Parameters whose value is `nil` are left out.
    package init(_ segments: [String], query: [(name: StaticString, value: String?)] = []) {
        let path = segments.map { "/" + Self.encoded($0) }.joined()
        let items = query.compactMap { item in item.value.map { "\(item.name)=" + Self.encoded($0) } }
        text = items.isEmpty ? path : path + "?" + items.joined(separator: "&")
    }

    /// Percent-encodes every byte except ASCII letters, digits and `-._~` (RFC 3986 §2.3).
    package static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hex = Array("0123456789ABCDEF".utf8)
}
