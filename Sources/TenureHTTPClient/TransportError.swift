/// Why there is no answer; never a header field, a body or a URL's query in it.
///
/// Two errors are equal when their codes are.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Names the kind of failure; an open set.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name.
        public let text: String
        /// Names a code.
        public init(_ text: String) { self.text = text }
        /// The name.
        public var description: String { text }

        /// The URL is no absolute http or https URL, or a header field cannot be sent. Nothing was sent.
        public static let badURL = Code("bad_url")
        /// No connection: the name is unknown, nobody listens, or a proxy refused. Nothing was sent.
        public static let couldNotConnect = Code("could_not_connect")
        /// The server's certificate is not trusted, or TLS could not be agreed on. Nothing was sent.
        public static let tls = Code("tls")
        /// The server's public key is none of those that were pinned. Nothing was sent.
        public static let wrongKey = Code("wrong_key")
        /// No whole answer within the time; the request may have been performed.
        public static let timedOut = Code("timed_out")
        /// The connection broke before the answer was whole; the request may have been performed.
        public static let interrupted = Code("interrupted")
        /// The answer is longer than the limit; the request was probably performed.
        public static let tooLarge = Code("too_large")
        /// The task was cancelled; the request may have been performed.
        public static let cancelled = Code("cancelled")
        /// Memory, threads or descriptors ran out, or the library cannot do what was asked. Nothing was sent.
        public static let noResources = Code("no_resources")
    }

    /// The kind of failure.
    public let code: Code

    /// What went wrong and what to do next, for a person.
    public let message: String

    /// Describes a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// Compares codes only.
    public static func == (one: TransportError, other: TransportError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    static let cancelled = TransportError(.cancelled, "The request was cancelled before its answer came.")
}
