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
        /// Only ports 80 and 443 of public internet addresses, and the destinations of `tenure serve --egress-allow`.
        ///
        /// A host name that resolves to this host or to a private or local network is rejected too. With an
        /// `Authorization` header, only `https` is allowed, except to those destinations.
        case publicAddresses
        /// Any address.
        case everywhere
    }

    /// The method, `GET` or `POST`.
    public let method: String
    /// The absolute URL, `http` or `https`.
    public let url: String
    /// Headers to send; `Host` is added automatically.
    ///
    /// A credential belongs in `Authorization`, by which ``Reach/publicAddresses`` recognizes a request with one.
    public let fields: [(name: String, value: String)]
    /// The body, of at most ``longestBody`` bytes; `nil` for none.
    public let body: [UInt8]?
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
        self.init(method: "GET", url, fields: fields, body: nil, reach: reach, limit: limit, seconds: seconds)
    }

    /// Creates a POST request; `fields` should name the body's `Content-Type`.
    public static func post(
        _ url: String, body: [UInt8], fields: [(name: String, value: String)], reach: Reach, limit: Int64,
        seconds: Int
    ) -> OutboundRequest {
        OutboundRequest(
            method: "POST", url, fields: fields, body: body, reach: reach, limit: limit, seconds: seconds)
    }

    private init(
        method: String, _ url: String, fields: [(name: String, value: String)], body: [UInt8]?, reach: Reach,
        limit: Int64, seconds: Int
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.reach = reach
        self.limit = limit
        self.seconds = seconds
    }

    /// The maximum size of a request's body in bytes.
    public static let longestBody = 1 << 20

    /// Compares all properties.
    public static func == (one: OutboundRequest, other: OutboundRequest) -> Bool {
        one.method == other.method && one.url == other.url && one.body == other.body && one.reach == other.reach
            && one.limit == other.limit && one.seconds == other.seconds
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
        /// The request wasn't sent, because its URL, a header or its body is invalid, or because the URL leads to an
        /// address or port outside ``OutboundRequest/reach``.
        case forbidden
        /// The host is unknown, the connection or its TLS handshake failed, or the response timed out or was incomplete.
        ///
        /// The server may have processed the request.
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
