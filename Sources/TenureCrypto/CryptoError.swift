/// What went wrong in a cryptographic operation; never holds a key, a message or a password.
///
/// Two errors are equal when their codes are.
public struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Names the kind of failure; an open set.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// As logs and answers spell it, such as `wrong_length`.
        public let text: String
        /// Makes a code of its spelling.
        public init(_ text: String) { self.text = text }
        /// The spelling, for messages.
        public var description: String { text }

        /// A key, seed or nonce does not have the length its algorithm asks for.
        public static let wrongLength = Code("wrong_length")

        /// Sealed bytes did not open: another key, other associated data, changed or cut. Which one is not told.
        public static let notOpened = Code("not_opened")

        /// Bytes are no key of the kind asked for, or text that a password protects.
        public static let badKey = Code("bad_key")

        /// Bytes are no X.509 certificate with a key that this module knows.
        public static let badCertificate = Code("bad_certificate")

        /// The message is longer than the algorithm or the library takes in one call.
        public static let tooLong = Code("too_long")

        /// The C library refused work it always does; memory ran out, or its installation is broken.
        public static let libraryFailed = Code("library_failed")
    }

    /// The kind of failure.
    public let code: Code

    /// What went wrong and what to do next, for an operator.
    public let message: String

    /// Describes a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// Compares codes only.
    public static func == (one: CryptoError, other: CryptoError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    static let libraryRefused = CryptoError(
        .libraryFailed, "libcrypto refused work that it always does; memory ran out or its installation is broken")

    static func wrongLength(of what: String, is actual: Int, not expected: Int) -> CryptoError {
        CryptoError(.wrongLength, "\(what) has \(actual) bytes and needs \(expected); check where it was read from")
    }
}
