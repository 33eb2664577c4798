/// Why nothing came that may change a state.
package struct Unreached: Sendable, Hashable, Codable {
    package enum Cause: String, Sendable, Hashable, Codable {
        /// No connection, no route, no name.
        case offline
        /// The server's certificate is not trusted.
        case untrusted
        /// Something between here and the server answered: HTML, or JSON of another kind.
        case captive
        /// The server could not answer now: 408, 429, 5xx, a time-out.
        case busy
        /// The server knows no such tenant or product, or wants a key that the app does not send: the app's settings.
        case misconfigured
        /// A signed answer that does not verify, or is for something else.
        case unverified
        /// It was cancelled.
        case cancelled
    }

    /// Which.
    package let cause: Cause
    /// For people who look at a log.
    package let message: String
    /// How many seconds the server asks to wait.
    package let retryAfter: Int64?

    package init(_ cause: Cause, _ message: String, retryAfter: Int64? = nil) {
        self.cause = cause
        self.message = message
        self.retryAfter = retryAfter
    }
}
