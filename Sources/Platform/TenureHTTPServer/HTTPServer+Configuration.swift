extension HTTPServer {
    /// A server's listener and limits.
    public struct Configuration: Sendable, Hashable {
        /// The TCP port or Unix socket to listen on.
        public var listen: HTTPServer.Address
        /// The id of the group that may connect to a Unix socket; `nil` for the process's own.
        public var socketGroup: UInt32?
        /// The number of event threads, each with its own listener; at least 1.
        public var threads = 2
        /// The maximum number of open connections, divided evenly among the threads; further ones wait in the system's
        /// queue.
        public var connectionLimit = 4096
        /// The maximum number of requests being processed; further requests get a 503.
        ///
        /// Requests that are still being received don't count, and neither do responses that are being sent, so that
        /// slow clients can't block others. A request that the handler completes without waiting doesn't count.
        public var requestsInFlight = 1024
        /// The maximum number of requests being processed that may change something; further ones get a 503.
        ///
        /// The rest of `requestsInFlight` is reserved for reads and refreshes.
        public var changesInFlight = 512
        /// The maximum number of responses being sent from a file; further requests for files get a 503.
        ///
        /// Clients may receive a file as slowly as they like, and each occupies a connection and a descriptor. This
        /// limit leaves some for others.
        public var filesInFlight = 2048
        /// The maximum size of a body in bytes; a larger one gets a 413.
        public var bodyLimit = 1 << 20
        /// The number of bytes over `bodyLimit` that are read and discarded, so that the client receives its 413.
        ///
        /// A body whose `Content-Length` exceeds the sum of both limits gets a 413 before it's read. If a body turns
        /// out to be larger, the connection is closed.
        public var discardLimit = 8 << 20
        /// The number of bytes of each body and each response that don't count towards the shared memory limits.
        ///
        /// Clients that use up that memory therefore can't block small requests such as a refresh.
        public var smallBody = 16 << 10
        /// The maximum memory for bodies being received, in bytes; the first `smallBody` bytes of each body don't
        /// count. A request over the limit gets a 503.
        public var bodyMemory = 64 << 20
        /// The maximum memory for responses being sent, in bytes; the first `smallBody` bytes of each response don't
        /// count. A response over the limit becomes a 503.
        public var answerMemory = 64 << 20
        /// The maximum size of the request line and header fields together, in bytes; larger ones get a 431.
        public var headerLimit = 16 << 10
        /// How long a connection stays open without bytes from its client, or while its client receives nothing of a
        /// response. The time in which a handler runs doesn't count.
        public var idleTimeout: Duration = .seconds(30)
        /// How long a request may take to arrive while all connections are open. After that, its connection may be
        /// closed for a new client.
        public var receivingGrace: Duration = .seconds(2)
        /// How long a stopping server waits for clients that are still sending a request or receive nothing of their
        /// response.
        public var sendingGrace: Duration = .seconds(2)
        /// How long a request may take from its first byte until its handler has responded.
        ///
        /// After that, a client that is still sending the request is disconnected. A handler that is still running is
        /// cancelled, and its client gets a 503. The time for sending the response doesn't count.
        public var requestDeadline: Duration = .seconds(30)

        /// Creates a configuration with default limits.
        public init(listen: HTTPServer.Address) {
            self.listen = listen
        }
    }
}
