import TenureFormats

/// A marketplace's domain and the server's address, which differ for a local test server.
///
/// A marketplace's configuration contains `https://` URLs of its domain, while a test server listens on a loopback port
/// without TLS. URLs of that domain, whatever their scheme and port, are sent to the server's address.
struct ServerAddress: Sendable, Hashable {
    /// Scheme, host and port without a trailing slash, such as `http://127.0.0.1:8080`.
    let origin: String

    /// The socket to connect to instead of host and port; `nil` for TCP.
    let unixSocket: String?

    /// The marketplace's domain in lower case.
    let domain: String

    /// Whether the domain differs from the host that is connected to, so that the `Host` field must name it.
    let isRenamed: Bool

    /// Reads `http://HOST:PORT`, `https://HOST` or `unix:PATH`; returns `nil` for anything else.
    ///
    /// - Parameter domain: The marketplace's domain if it isn't the host.
    init?(_ text: String, domain: String? = nil) {
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

    /// The text that, together with ``domain``, creates the same address again.
    var text: String { unixSocket.map { "unix:" + $0 } ?? origin }

    /// Maps a URL from the configuration to the server's address.
    func reachable(_ url: String) -> String {
        guard let parts = Self.web(url), parts.host == domain else { return url }
        return origin + parts.rest
    }

    /// Whether a URL belongs to the marketplace's own domain.
    func isOwn(_ url: String) -> Bool { Self.web(url)?.host == domain }

    private static func web(_ text: String) -> WebURL? {
        WebURL(text).flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
    }
}
