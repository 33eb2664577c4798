/// Sends HTTP requests to external servers; features know nothing else about how that's done.
///
/// Redirects aren't followed and cookies aren't kept. URLs often come from third parties, so each request says which
/// addresses are allowed and how large the response may be.
public protocol Outbound: Sendable {
    /// Sends a request and returns the whole response.
    ///
    /// Throws ``OutboundError``. The body has at most ``OutboundRequest/limit`` bytes.
    func ask(_ request: OutboundRequest) async throws(OutboundError) -> OutboundAnswer

    /// Sends a request and passes the body to `take` in pieces, in order, on a separate thread.
    ///
    /// The returned response has no body. `begin` gets the status and headers first and returns whether the body is
    /// wanted. If it's not, or `take` returns false, the transfer ends without an error.
    ///
    /// Throws ``OutboundError``; pieces received before the error have been passed to `take`.
    func fetch(
        _ request: OutboundRequest, begin: @escaping @Sendable (OutboundAnswer) -> Bool,
        take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(OutboundError) -> OutboundAnswer
}

/// A request to an external server.
public struct OutboundRequest: Sendable, Hashable {
    /// Which addresses are allowed.
    public enum Reach: Sendable, Hashable {
        /// Public internet addresses only: none of this machine or of a private or local network, whatever a name
        /// resolves to.
        case publicAddresses
        /// Any address.
        case everywhere
    }

    /// The absolute URL, `http` or `https`.
    public let url: String
    /// Additional headers; `Host` and those for the body are added automatically.
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

    /// Hashes only the URL.
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

    /// The first header of that name, ignoring case.
    public subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why a request to an external server failed.
public struct OutboundError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Kind: String, Sendable, Hashable {
        /// The request wasn't sent, because its URL isn't allowed: not a web address, or one in a private network.
        case forbidden
        /// The connection or TLS failed, the response timed out or it was incomplete.
        case unreachable
        /// The response was larger than the limit.
        case tooLong
        /// The task was cancelled.
        case cancelled
    }

    /// The kind of failure.
    public let kind: Kind
    /// What went wrong, for an operator, without secrets from the URL.
    public let message: String

    /// Creates an error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
