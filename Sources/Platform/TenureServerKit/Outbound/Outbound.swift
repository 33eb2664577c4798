public import TenureHTTP

/// Sends HTTP requests to external servers.
///
/// Redirects aren't followed, and cookies aren't stored. URLs often come from third parties, so each request has
/// limits on the addresses that may be reached and on the size of the response.
public protocol Outbound: Sendable {
    /// Sends a request and returns the whole response.
    ///
    /// Throws ``OutboundError``, for example if the response's body has more than ``OutboundLimits/size`` bytes.
    func send(_ request: OutgoingRequest, within limits: OutboundLimits) async throws(OutboundError) -> Response

    /// Sends a request and passes the body to `take` in pieces, in order, on a separate thread.
    ///
    /// The returned response has no body. Before the body, `begin` receives the status and headers, and returns
    /// whether to receive the body. If `begin` or `take` returns `false`, the transfer ends without an error.
    ///
    /// Throws ``OutboundError``. Pieces that were received before the error have been passed to `take`.
    func fetch(
        _ request: OutgoingRequest, within limits: OutboundLimits, begin: @escaping @Sendable (Response) -> Bool,
        take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(OutboundError) -> Response
}

/// The error of a request to an external server.
public struct OutboundError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Kind: String, Sendable, Hashable {
        /// The request wasn't sent.
        ///
        /// Its URL, a header or its body is invalid, or the URL leads to an address or port outside
        /// ``OutboundLimits/reach``.
        case forbidden
        /// The host is unknown, the connection or its TLS handshake failed, or the response was incomplete or timed
        /// out.
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
    /// The failure in words for an operator, without secrets from the URL.
    public let message: String

    /// Creates an error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
