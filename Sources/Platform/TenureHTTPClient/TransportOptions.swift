/// The limits of a transport, and the settings of its connections.
public struct TransportOptions: Sendable, Hashable {
    /// How to choose the proxy for requests.
    public enum Proxy: Sendable, Hashable {
        /// The proxy of the system or environment (`https_proxy`, `no_proxy`, ...), if any.
        case system
        /// No proxy, even if the system has one.
        case none
        /// The proxy at this URL, such as `http://127.0.0.1:3128`.
        case url(String)
    }

    /// How long establishing a connection may take, including TLS.
    public var connectTimeout: Duration = .seconds(10)

    /// How long the whole exchange may take, from the call until the response is complete.
    public var timeout: Duration = .seconds(60)

    /// The maximum size of a response's body in bytes; a longer one fails with `.tooLarge`.
    public var responseLimit = 16 << 20

    /// The proxy that requests use; by default the system's.
    public var proxy: Proxy = .system

    /// The maximum number of open connections.
    ///
    /// Further requests wait, and the wait counts towards their timeout.
    public var connectionLimit = 64

    /// The value of the `User-Agent` field; `nil` sends none.
    public var userAgent: String? = "Tenure"

    /// The pinned public keys, one of which the server must have; empty pins none.
    ///
    /// Each is the base64 SHA-256 of a SubjectPublicKeyInfo. Pinning adds to the ordinary certificate checks and
    /// doesn't replace them.
    public var pinnedKeys: [String] = []

    /// A PEM file of the only certificate authorities to trust; `nil` trusts the system's.
    ///
    /// Not supported on Apple systems.
    public var authorities: String?

    /// A Unix socket to connect to instead of the URL's host and port; `nil` connects to those.
    ///
    /// Not supported on Apple systems.
    public var unixSocket: String?

    /// Whether to connect only to ports 80 and 443 of public internet addresses, never to this machine or a private or
    /// local network.
    ///
    /// Each connection is checked after name resolution; a refused one fails with `.addressRefused`. Set `proxy` to
    /// `.none` as well, because a proxy would resolve names itself. Not supported on Apple systems.
    public var reachesPublicAddressesAlone = false

    /// How long an exchange may make no progress; `nil` for no limit besides `timeout`.
    ///
    /// Not supported on Apple systems.
    public var stallTimeout: Duration?

    /// Creates options with the default values.
    public init() {}
}
