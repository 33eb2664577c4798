extension HTTPServer {
    /// How a server listens and what it puts up with.
    public struct Configuration: Sendable, Hashable {
        /// Where to listen.
        public var listen: ListenAddress
        /// The group that may connect to a unix socket, by its number; nil for the process's own.
        public var socketGroup: UInt32?
        /// Event threads, each with its own listener; at least 1.
        public var threads = 2
        /// Connections open at once, shared out evenly among the threads; more wait in the system's queue.
        public var connectionLimit = 4096
        /// Requests that are whole and not yet answered; one more is answered 503. Requests still being sent do not
        /// count, nor do answers that wait for their clients, so that slow clients cannot shut out others.
        public var requestsInFlight = 1024
        /// Answers under way whose body is a file; one more is answered 503. Whoever takes a file slowly keeps a connection
        /// and a descriptor for as long as they like, and has to leave others some.
        public var filesInFlight = 2048
        /// Bytes of a body; more is answered 413.
        public var bodyLimit = 1 << 20
        /// Bytes of a body over the limit that are read and thrown away so that the client sees its 413. A body
        /// announced as longer is answered 413 before it is read; one that turns out longer is cut.
        public var discardLimit = 8 << 20
        /// Bytes of a body, and of an answer, that always have room; only what goes beyond them counts against the memory for
        /// all, so that nobody who fills that shuts out a refresh.
        public var smallBody = 16 << 10
        /// Bytes of all bodies that are being read, beyond the small ones; a request that needs more is answered 503.
        public var bodyMemory = 64 << 20
        /// Bytes of all answers that their clients have yet to take, beyond the small ones; one that needs more becomes 503.
        public var answerMemory = 64 << 20
        /// Bytes of request line and header fields together; more is answered 431.
        public var headerLimit = 16 << 10
        /// How long a connection may be silent, in whole seconds, rounded up.
        public var idleTimeout: Duration = .seconds(30)
        /// How long a stopping server waits for the rest of requests that are still being sent.
        public var sendingGrace: Duration = .seconds(2)
        /// How long a request may take from its first byte until its handler has answered. A client that has not
        /// sent it whole by then is cut off; a handler that has not answered by then is cancelled and the client
        /// answered 503. It does not count the time that a client takes to read its answer.
        public var requestDeadline: Duration = .seconds(30)

        /// Makes a configuration with the usual limits.
        public init(listen: ListenAddress) {
            self.listen = listen
        }
    }
}
