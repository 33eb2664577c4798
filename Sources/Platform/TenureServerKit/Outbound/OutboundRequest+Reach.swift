import TenureFormats

extension OutboundRequest {
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

    /// Checks the request before it's sent; returns whether only public addresses may be connected to.
    ///
    /// The host is compared as text, so another spelling of an allowed address isn't allowed. What a host's name resolves
    /// to can be checked only when connecting.
    ///
    /// Throws ``OutboundError/Kind/forbidden`` if the request mustn't be sent.
    ///
    /// - Parameter destinations: The hosts and ports to which the rules of ``Reach/publicAddresses`` don't apply.
    package func needsPublicAddress(besides destinations: Set<Destination>) throws(OutboundError) -> Bool {
        guard (body?.count ?? 0) <= Self.longestBody else {
            throw OutboundError(.forbidden, "The request's body is longer than \(Self.longestBody) bytes.")
        }
        guard reach == .publicAddresses else { return false }
        guard let url = WebURL(url), ["http", "https"].contains(url.scheme), !url.hasUser else {
            throw OutboundError(.forbidden, "The URL isn't an http or https URL with a host and without a user name.")
        }
        let destination = Destination(url)
        if destinations.contains(destination) { return false }
        guard [80, 443].contains(destination.port) else {
            throw OutboundError(
                .forbidden,
                "The port \(destination.port) of \(url.host) is neither 80 nor 443. \(Self.remedy)")
        }
        guard url.scheme == "https" || !hasCredential else {
            throw OutboundError(
                .forbidden,
                "A credential would be sent to \(url.host) without encryption. Use https. \(Self.remedy)")
        }
        return true
    }

    private var hasCredential: Bool { fields.contains { $0.name.lowercased() == "authorization" } }

    /// How an operator lifts the rules.
    package static let remedy =
        "If the server should send requests there, start it with --egress-allow HOST:PORT."
}
