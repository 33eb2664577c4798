package import TenureCore

/// Where a product's license server is.
package struct ServiceAddress: Sendable, Hashable {
    /// The product that is asked about.
    package let product: ProductRef
    private let server: ServerAddressBase

    /// Takes a server's base URL; refuses (nil) what ``ServerAddressBase`` refuses.
    package init?(_ url: String, product: ProductRef) {
        guard let server = ServerAddressBase(url) else { return nil }
        self.server = server
        self.product = product
    }

    /// Whether the server runs on this machine.
    package var isThisMachine: Bool { server.isThisMachine }

    /// A path below the base, which begins with a slash.
    package func url(_ path: String) -> String { server.url(path) }
}

/// The base of a server's URLs.
package struct ServerAddressBase: Sendable, Hashable {
    /// Whether the server runs on this machine.
    package let isThisMachine: Bool
    private let base: String

    /// Takes a server's base URL: https with a host, a port and a path at most; http only on this machine.
    ///
    /// Refuses (nil) any other: over http, anybody on the way could read license keys and tokens.
    package init?(_ url: String) {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        let rest = url.dropFirst(scheme.count)
        guard rest.hasPrefix("://"), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let authority = rest.dropFirst(3).prefix { $0 != "/" }
        guard !authority.isEmpty, !rest.contains(where: { "@?#".contains($0) }) else { return nil }
        isThisMachine = Self.isThisMachine(authority)
        guard scheme == "https" || scheme == "http" && isThisMachine else { return nil }
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
    }

    /// A path below the base, which begins with a slash.
    package func url(_ path: String) -> String { base + path }

    private static func isThisMachine(_ authority: Substring) -> Bool {
        if authority.hasPrefix("[::1]") { return authority == "[::1]" || authority.hasPrefix("[::1]:") }
        let host = authority.prefix { $0 != ":" }
        return ["127.0.0.1", "localhost"].contains(host)
    }
}
