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

/// A transport that can also give an answer away as it comes, so that files of any size pass through.
public protocol HTTPStreaming: HTTPTransport {
    /// Sends a request and gives the body to a sink; the answer's own body is empty.
    ///
    /// - Parameters:
    ///   - limit: Bytes of the body that may come.
    ///   - timeout: How long the whole may take.
    /// - Throws: as ``HTTPTransport/send(_:)``; what the sink took until then has come. A sink that wants no more ends the
    ///   exchange, which is no error.
    func stream(
        _ request: HTTPRequest, limit: Int, timeout: Duration, into sink: HTTPSink
    ) async throws(TransportError) -> HTTPResponse
}

/// Takes an answer as it comes, on the transport's thread: what takes long here holds up its other answers.
public struct HTTPSink: Sendable {
    package let begin: @Sendable (HTTPResponse) -> Bool
    package let take: @Sendable ([UInt8]) -> Bool

    /// Makes a sink.
    /// - Parameters:
    ///   - begin: Is told status and fields, once, and says whether the body is wanted.
    ///   - take: Takes the next bytes, and says whether it wants more.
    public init(
        begin: @escaping @Sendable (HTTPResponse) -> Bool, take: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.begin = begin
        self.take = take
    }
}

/// Where transports come from.
public enum HTTPTransports {
    #if !canImport(Darwin)
        /// Makes one that can give answers away as they come.
        ///
        /// - Throws: as ``system(_:)``.
        public static func streaming(_ options: TransportOptions) throws(TransportError) -> any HTTPStreaming {
            try CurlTransport(options)
        }

        /// Whether an address, as it is written, is one of the internet's.
        public static func isPublicAddress(_ text: String) -> Bool { CurlLibrary.isPublic(text) }
    #endif

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
