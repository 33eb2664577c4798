package import TenureCore
import TenureFormats

/// The address of a product's license server.
package struct ServiceAddress: Sendable, Hashable {
    package let product: ProductRef
    private let server: ServerAddressBase

    /// Parses a server's base URL; `nil` if ``ServerAddressBase`` rejects it.
    package init?(_ url: String, product: ProductRef) {
        guard let server = ServerAddressBase(url) else { return nil }
        self.server = server
        self.product = product
    }

    /// Whether the server runs on this device, so that http is allowed.
    package var isThisMachine: Bool { server.isThisMachine }

    /// The URL of a path, which must start with a slash.
    package func url(_ path: String) -> String { server.url(path) }
}

/// A server's validated base URL, to which paths are appended.
package struct ServerAddressBase: Sendable, Hashable {
    /// Whether the server runs on this device, so that http is allowed.
    package let isThisMachine: Bool
    private let base: String

    /// Parses a base URL, which may have a host, a port and a path.
    ///
    /// The scheme must be https; http is accepted only for this machine, because others on the network could read
    /// license keys and tokens. Returns `nil` for any other URL.
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

    /// The URL of a path, which must start with a slash.
    package func url(_ path: String) -> String { base + path }
}
