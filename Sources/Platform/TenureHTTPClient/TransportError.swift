/// Why there is no response; it never contains a header field, a body or a URL's query.
///
/// Two errors are equal if their codes are.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; the set is open.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code as written in logs, such as `timed_out`.
        public let text: String
        /// Creates a code from its text.
        public init(_ text: String) { self.text = text }
        /// The code's text.
        public var description: String { text }

        /// The URL isn't an absolute http or https URL, or a header field can't be sent; nothing was sent.
        public static let badURL = Code("bad_url")
        /// The host is unknown, doesn't accept the connection, or a proxy refused; nothing was sent.
        public static let couldNotConnect = Code("could_not_connect")
        /// The host has no public address, or the port isn't allowed
        /// (``TransportOptions/reachesPublicAddressesAlone``); nothing was sent.
        public static let addressRefused = Code("address_refused")
        /// The server's certificate isn't trusted, or the TLS handshake failed; nothing was sent.
        public static let tls = Code("tls")
        /// The server's public key isn't one of the pinned keys; nothing was sent.
        public static let wrongKey = Code("wrong_key")
        /// The response wasn't complete in time; the request may have been processed.
        public static let timedOut = Code("timed_out")
        /// The connection was lost before the response was complete; the request may have been processed.
        public static let interrupted = Code("interrupted")
        /// The response is longer than the limit; the request was probably processed.
        public static let tooLarge = Code("too_large")
        /// The task was cancelled; the request may have been processed.
        public static let cancelled = Code("cancelled")
        /// Memory, threads or descriptors ran out, or the library doesn't support an option; nothing was sent.
        public static let noResources = Code("no_resources")
    }

    /// The kind of failure; programs should depend on nothing else.
    public let code: Code

    /// The error message, which names the fault and the remedy, for people.
    public let message: String

    /// Creates an error from its parts.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The same as ``message``.
    public var description: String { message }

    /// Compares only the codes.
    public static func == (one: TransportError, other: TransportError) -> Bool { one.code == other.code }

    /// Hashes only the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    static let cancelled = TransportError(.cancelled, "The request was cancelled before its answer came.")
}
