import TenureFormats
package import TenureHTTP

/// Where a request to an external server may lead, and how long and large its response may be.
public struct OutboundLimits: Sendable, Hashable {
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

    /// Which addresses are allowed.
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

    /// A host and port that `tenure serve --egress-allow` names.
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

        /// The destination of a URL, with the port of its scheme if it names none.
        fileprivate init(_ url: WebURL) {
            (host, port) = (url.host, url.port ?? (url.scheme == "https" ? 443 : 80))
        }
    }

    /// Checks a request before it's sent; returns whether only public addresses may be connected to.
    ///
    /// The host is compared as text, so another spelling of an allowed address isn't allowed. What a host's name resolves
    /// to can be checked only when connecting.
    ///
    /// Throws ``OutboundError/Kind/forbidden`` if the request mustn't be sent. A credential belongs in `Authorization`, by
    /// which a request with one is recognized.
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

    /// How an operator lifts the rules.
    package static let remedy =
        "If the server should send requests there, start it with --egress-allow HOST:PORT."
}
