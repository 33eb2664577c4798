/// A host and a port that requests go to over https: the smallest thing that a credential may be meant for.
///
/// Read strictly: a text that two readers of URLs could understand differently is no place at all.
struct WebPlace: Sendable, Hashable {
    /// In small letters.
    let host: String
    let port: UInt16

    /// Reads the place of an absolute https URL. Answers nil for another scheme, a user, a host that is not plain ASCII
    /// (an IPv6 address included), a port that is no number, and anything that is not printable ASCII.
    init?(url: String) {
        let bytes = Array(url.utf8)
        let scheme = Array("https://".utf8)
        guard bytes.count > scheme.count, bytes.count <= Self.longest,
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            zip(bytes, scheme).allSatisfy({ Self.small($0) == $1 })
        else { return nil }
        let authority = bytes.dropFirst(scheme.count).prefix { !Array("/?#".utf8).contains($0) }
        self.init(authority: authority)
    }

    /// Reads a bare domain, such as `market.example`.
    init?(domain: String) {
        self.init(authority: Array(domain.utf8)[...])
    }

    private init?(authority: ArraySlice<UInt8>) {
        let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let name = parts.first, parts.count <= 2, (1...253).contains(name.count),
            name.allSatisfy(Self.isOfHost), name.first != UInt8(ascii: "."), name.last != UInt8(ascii: ".")
        else { return nil }
        host = String(decoding: name.map(Self.small), as: UTF8.self)
        guard parts.count == 2 else {
            port = 443
            return
        }
        guard parts[1].allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(String(decoding: parts[1], as: UTF8.self)), number > 0
        else { return nil }
        port = number
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static let longest = 8192
}
