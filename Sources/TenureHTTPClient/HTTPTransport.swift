/// Sends requests; the one thing that differs between systems.
///
/// ```swift
/// let transport = try HTTPTransports.system()
/// let answer = try await transport.send(.get("https://market.example/.well-known/marketplace-kit"))
/// ```
public protocol HTTPTransport: Sendable {
    /// Sends a request and answers what came back, whatever its status.
    ///
    /// A redirect is never followed: the 3xx is the answer. No cookie is kept or sent. Cancelling the task cancels the
    /// transfer.
    ///
    /// - Throws: `.badURL`, nothing was sent; `.couldNotConnect`, `.tls`, the server never saw the request; `.timedOut`,
    ///   `.interrupted`, `.tooLarge`, `.cancelled`, it may have seen and performed it; `.noResources`, nothing was sent.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// Where transports come from.
public enum HTTPTransports {
    /// Makes the transport of this system: libcurl on Linux, `URLSession` on Apple systems.
    ///
    /// Make one and share it: connections are kept open and used again.
    ///
    /// - Throws: `.noResources`, when the library or a thread cannot be had, or does not know an option.
    public static func system(_ options: TransportOptions = TransportOptions()) throws(TransportError)
        -> any HTTPTransport
    {
        #if canImport(Darwin)
            try URLSessionTransport(options)
        #else
            try CurlTransport(options)
        #endif
    }
}
