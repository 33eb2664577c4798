import TenureFormats

/// Where a marketplace is, and where it is reached: on a laptop these differ.
///
/// A marketplace's configuration names URLs under `https://` and its domain, while a server that is being tried out
/// listens on a loopback port without TLS. URLs of that domain, whatever their scheme and port, are asked of the server.
package struct ServerAddress: Sendable, Hashable {
    /// Scheme, host and port, such as `http://127.0.0.1:8080`; without a slash at the end.
    package let origin: String

    /// The socket that takes the place of host and port; nil for TCP.
    package let unixSocket: String?

    /// The marketplace's domain, in lower case.
    package let domain: String

    /// Whether the domain is not the host that is connected to, so that the `Host` field must name it.
    package let isRenamed: Bool

    /// Reads `http://HOST:PORT`, `https://HOST` or `unix:PATH`; nil for anything else.
    /// - Parameter domain: The marketplace's domain when it is not the host.
    package init?(_ text: String, domain: String? = nil) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { return nil }
            self.domain = (domain ?? "localhost").lowercased()
            unixSocket = path
            origin = "http://\(self.domain)"
            isRenamed = false
            return
        }
        guard let url = Self.web(text), url.rest.isEmpty || url.rest == "/", !url.hasUser else { return nil }
        origin = url.origin
        unixSocket = nil
        self.domain = (domain ?? url.host).lowercased()
        isRenamed = self.domain != url.host
    }

    /// The text that makes the same address together with ``domain``.
    package var text: String { unixSocket.map { "unix:" + $0 } ?? origin }

    /// The URL to ask instead of one that the configuration names.
    package func reachable(_ url: String) -> String {
        guard let parts = Self.web(url), parts.host == domain else { return url }
        return origin + parts.rest
    }

    /// Whether a URL is of the marketplace's own domain.
    package func isOwn(_ url: String) -> Bool { Self.web(url)?.host == domain }

    private static func web(_ text: String) -> WebURL? {
        WebURL(text).flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
    }
}
