/// Sends HTTP requests to external servers.
///
/// Redirects aren't followed, and cookies aren't stored. URLs often come from third parties, so each request limits the
/// addresses that may be reached and the size of the response.
public protocol Outbound: Sendable {
    /// Sends a request and returns the whole response.
    ///
    /// Throws ``OutboundError``, for example if the body has more than ``OutboundRequest/limit`` bytes.
    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundAnswer

    /// Sends a request and passes the body to `take` in pieces, in order, on a separate thread.
    ///
    /// The returned response has no body. First, `begin` receives the status and headers and returns whether to receive
    /// the body. If `begin` or `take` returns false, the transfer ends without an error.
    ///
    /// Throws ``OutboundError``; pieces received before the error were already passed to `take`.
    func fetch(
        _ request: OutboundRequest, begin: @escaping @Sendable (OutboundAnswer) -> Bool,
        take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(OutboundError) -> OutboundAnswer
}

/// A request to an external server.
public struct OutboundRequest: Sendable, Hashable {
    /// Which addresses are allowed.
    public enum Reach: Sendable, Hashable {
        /// Only public internet addresses.
        ///
        /// A host name that resolves to this host or to a private or local network is rejected too.
        case publicAddresses
        /// Any address.
        case everywhere
    }

    /// The absolute URL, `http` or `https`.
    public let url: String
    /// Headers to send; `Host` is added automatically.
    public let fields: [(name: String, value: String)]
    /// Which addresses are allowed.
    public let reach: Reach
    /// The maximum size of the response's body in bytes.
    public let limit: Int64
    /// The timeout for the whole response in seconds.
    ///
    /// A transfer that stalls for 30 s fails earlier.
    public let seconds: Int

    /// Creates a GET request.
    public init(
        _ url: String, fields: [(name: String, value: String)] = [], reach: Reach, limit: Int64, seconds: Int
    ) {
        self.url = url
        self.fields = fields
        self.reach = reach
        self.limit = limit
        self.seconds = seconds
    }

    /// Compares all properties.
    public static func == (one: OutboundRequest, other: OutboundRequest) -> Bool {
        one.url == other.url && one.reach == other.reach && one.limit == other.limit && one.seconds == other.seconds
            && one.fields.elementsEqual(other.fields) { $0 == $1 }
    }

    /// Hashes only the URL, which is enough to tell most requests apart.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

/// A response of an external server.
public struct OutboundAnswer: Sendable {
    /// The status code.
    public let status: Int
    /// The headers, in order.
    public let fields: [(name: String, value: String)]
    /// The body; empty if it was passed to `take`.
    public let body: [UInt8]

    /// Creates a response from its parts.
    public init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of the first header with that name, ignoring case; `nil` if there isn't one.
    public subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why a request to an external server failed.
public struct OutboundError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Kind: String, Sendable, Hashable {
        /// The request wasn't sent, because its URL or a header is invalid.
        case forbidden
        /// The connection or its TLS handshake failed, or the response timed out or was incomplete.
        ///
        /// A URL that leads to an address outside ``OutboundRequest/reach`` also fails this way.
        case unreachable
        /// The response was larger than the limit.
        case tooLong
        /// The task was cancelled.
        case cancelled
    }

    /// The kind of failure.
    public let kind: Kind
    /// What went wrong, for an operator; it contains no secrets from the URL.
    public let message: String

    /// Creates an error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
