public import TenureHTTP

/// Sends HTTP requests, with a different implementation for each operating system.
///
/// ```swift
/// let transport = try HTTPTransports.system()
/// let answer = try await transport.send(.get("https://market.example/.well-known/marketplace-kit"))
/// ```
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// Redirects aren't followed: the 3xx is the response. Cookies are neither stored nor sent. Cancelling the task
    /// cancels the transfer.
    ///
    /// - Throws: `.badURL` and `.noResources` if nothing was sent; `.couldNotConnect`, `.addressRefused`, `.tls` and
    ///   `.wrongKey` if the server never saw the request; `.timedOut`, `.interrupted`, `.tooLarge` and `.cancelled` if
    ///   it may have seen and processed the request.
    func send(_ request: OutgoingRequest) async throws(TransportError) -> Response
}

/// A transport that can also stream a response, so that files of any size can pass through.
public protocol HTTPStreaming: HTTPTransport {
    /// Sends a request and passes the body to a sink; the returned response has an empty body.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of the body in bytes.
    ///   - timeout: How long the whole exchange may take.
    /// - Throws: The errors of ``HTTPTransport/send(_:)``, possibly after the sink has received a part of the body. A
    ///   sink that wants no more ends the exchange without an error.
    func stream(
        _ request: OutgoingRequest, limit: Int, timeout: Duration, into sink: HTTPSink
    ) async throws(TransportError) -> Response
}

/// Receives a streamed response on the transport's thread; slow work here delays the transport's other responses.
public struct HTTPSink: Sendable {
    package let begin: @Sendable (Response) -> Bool
    package let take: @Sendable ([UInt8]) -> Bool

    /// Creates a sink from two closures, both called on the transport's thread.
    /// - Parameters:
    ///   - begin: Receives the status and headers once, and returns whether the body is wanted.
    ///   - take: Receives the next bytes, and returns whether it wants more.
    public init(
        begin: @escaping @Sendable (Response) -> Bool, take: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.begin = begin
        self.take = take
    }
}

/// Creates transports for the operating system that the program runs on.
public enum HTTPTransports {
    #if !canImport(Darwin)
        /// Creates a transport that can stream responses.
        ///
        /// - Throws: The errors of ``system(_:)``.
        public static func streaming(_ options: TransportOptions) throws(TransportError) -> any HTTPStreaming {
            try CurlTransport(options)
        }

        /// Whether an IP address in text form is a public address on the internet.
        public static func isPublicAddress(_ text: String) -> Bool { CurlLibrary.isPublic(text) }
    #endif

    /// Creates the operating system's transport: libcurl on Linux, `URLSession` on Apple systems.
    ///
    /// Create one and share it, because it keeps connections open for reuse.
    ///
    /// - Throws: `.noResources` if the library or a thread isn't available, or the library doesn't know an option.
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
