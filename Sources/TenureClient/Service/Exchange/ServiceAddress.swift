package import TenureCore
import TenureFormats

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
        guard let read = WebURL(url), !read.hasUser, !read.rest.contains(where: { "@?#".contains($0) }) else {
            return nil
        }
        isThisMachine = read.isThisMachine
        guard read.scheme == "https" || read.scheme == "http" && isThisMachine else { return nil }
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
    }

    /// A path below the base, which begins with a slash.
    package func url(_ path: String) -> String { base + path }
}
