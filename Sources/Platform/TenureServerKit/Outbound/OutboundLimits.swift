import TenureFormats
package import TenureHTTP

/// Limits on a request to an external server: the allowed addresses, and the duration and size of the response.
public struct OutboundLimits: Sendable, Hashable {
    /// The addresses that a request may be sent to.
    public enum Reach: Sendable, Hashable {
        /// Only ports 80 and 443 of public internet addresses, and the destinations of `tenure serve --egress-allow`.
        ///
        /// A host name that resolves to this host or to a private or local network is refused, too. A request with an
        /// `Authorization` header must use `https`, except to those destinations.
        case publicAddresses
        /// Any address.
        case everywhere
    }

    /// The addresses that a request may be sent to.
    public let reach: Reach
    /// The maximum size of the response's body in bytes.
    public let size: Int64
    /// The timeout for the whole response in seconds.
    ///
    /// A transfer that stalls for 30 s fails earlier.
    public let seconds: Int

    /// Creates limits.
    public init(reach: Reach, size: Int64, seconds: Int) {
        self.reach = reach
        self.size = size
        self.seconds = seconds
    }

    /// The maximum size of a request's body in bytes.
    package static let longestBody = 1 << 20

    /// A host and port that `tenure serve --egress-allow` allows.
    package struct Destination: Sendable, Hashable {
        /// The host in lower case; an IPv6 address has no brackets.
        package let host: String
        package let port: UInt16

        /// Parses `HOST:PORT`; an IPv6 address needs brackets. `nil` for any other text.
        package init?(_ text: String) {
            guard let url = WebURL("http://" + text), let port = url.port, url.rest.isEmpty, !url.hasUser else {
                return nil
            }
            (host, self.port) = (url.host, port)
        }

        /// The destination of a URL. If the URL has no port, the default port of its scheme applies.
        fileprivate init(_ url: WebURL) {
            (host, port) = (url.host, url.port ?? (url.scheme == "https" ? 443 : 80))
        }
    }

    /// Checks a request before it's sent. Returns whether the connection must go to a public address.
    ///
    /// The host is compared as text, so another spelling of an allowed address isn't allowed. The addresses that a
    /// host name resolves to can be checked only when connecting.
    ///
    /// Throws ``OutboundError/Kind/forbidden`` if the request must not be sent. Credentials must be in the
    /// `Authorization` header, because only that header makes this check require encryption.
    ///
    /// - Parameter destinations: The hosts and ports to which the rules of ``Reach/publicAddresses`` don't apply.
    package func needsPublicAddress(
        for request: OutgoingRequest, besides destinations: Set<Destination>
    ) throws(OutboundError) -> Bool {
        guard (request.body?.count ?? 0) <= Self.longestBody else {
            throw OutboundError(.forbidden, "The request's body is longer than \(Self.longestBody) bytes.")
        }
        guard reach == .publicAddresses else { return false }
        guard let url = WebURL(request.url), ["http", "https"].contains(url.scheme), !url.hasUser else {
            throw OutboundError(.forbidden, "The URL isn't an http or https URL with a host and without a user name.")
        }
        let destination = Destination(url)
        if destinations.contains(destination) { return false }
        guard [80, 443].contains(destination.port) else {
            throw OutboundError(
                .forbidden,
                "The port \(destination.port) of \(url.host) is neither 80 nor 443. \(Self.remedy)")
        }
        guard url.scheme == "https" || request.headers["Authorization"] == nil else {
            throw OutboundError(
                .forbidden,
                "A credential would be sent to \(url.host) without encryption. Use https. \(Self.remedy)")
        }
        return true
    }

    /// The advice for an operator whose server should reach an address that isn't allowed.
    package static let remedy =
        "If the server should send requests there, start it with --egress-allow HOST:PORT."
}
