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
