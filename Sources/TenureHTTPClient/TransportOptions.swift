/// What a transport puts up with, and how it reaches servers.
public struct TransportOptions: Sendable, Hashable {
    /// Which proxy requests go through.
    public enum Proxy: Sendable, Hashable {
        /// The one that the system or the environment names (`https_proxy`, `no_proxy`, ...), or none.
        case system
        /// None, whatever the system says.
        case none
        /// This one, such as `http://127.0.0.1:3128`.
        case url(String)
    }

    /// How long a connection may take, TLS included.
    public var connectTimeout: Duration = .seconds(10)

    /// How long the whole exchange may take, from the call until the answer is whole.
    public var timeout: Duration = .seconds(60)

    /// Bytes of an answer's body; a longer one ends with `.tooLarge`.
    public var responseLimit = 16 << 20

    /// Which proxy requests go through.
    public var proxy: Proxy = .system

    /// Open connections at once; further requests wait for their turn, and their time runs.
    public var connectionLimit = 64

    /// What the `User-Agent` field says; nil sends none.
    public var userAgent: String? = "Tenure"

    /// Public keys, one of which the server must show: each the base64 of the SHA-256 of its SubjectPublicKeyInfo.
    /// Empty pins nothing. A pin comes on top of the ordinary checks and does not replace them.
    public var pinnedKeys: [String] = []

    /// A PEM file of the only authorities to trust; nil trusts those of the system. Not for Apple systems.
    public var authorities: String?

    /// A unix socket to connect to, whatever host the URL names. Not for Apple systems.
    public var unixSocket: String?

    /// Whether only addresses of the internet are connected to: none of this machine, of a private or a local network. A
    /// proxy must then be none, for it would look names up itself. Not for Apple systems.
    public var reachesPublicAddressesAlone = false

    /// How long an exchange may stand still before it is given up; nil for as long as the whole may take. Not for Apple
    /// systems.
    public var stallTimeout: Duration?

    /// Makes the usual options.
    public init() {}
}
