/// Why a cryptographic operation failed; never contains a key, a message or a password.
///
/// Two errors are equal if their codes are.
public struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code as written in logs and responses, such as `wrong_length`.
        public let text: String
        /// Creates a code from its text.
        public init(_ text: String) { self.text = text }
        /// The code's text.
        public var description: String { text }

        /// A key, seed or nonce doesn't have the length that its algorithm requires.
        public static let wrongLength = Code("wrong_length")

        /// Sealed bytes couldn't be opened: wrong key, wrong associated data, or changed or truncated bytes.
        ///
        /// The error doesn't say which.
        public static let notOpened = Code("not_opened")

        /// Bytes aren't a key of the expected kind, or are protected by a password.
        public static let badKey = Code("bad_key")

        /// Bytes aren't an X.509 certificate with a supported key.
        public static let badCertificate = Code("bad_certificate")

        /// The message is longer than the algorithm or the library accepts in one call.
        public static let tooLong = Code("too_long")

        /// The C library failed in an operation that normally always succeeds: it is out of memory, or its installation
        /// is broken.
        public static let libraryFailed = Code("library_failed")
    }

    /// The kind of error; programs should depend on nothing else.
    public let code: Code

    /// The error message, which names the fault and the remedy, for an operator.
    public let message: String

    /// Creates an error from its parts.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// Compares the codes only.
    public static func == (one: CryptoError, other: CryptoError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    static let libraryRefused = CryptoError(
        .libraryFailed, "libcrypto refused work that it always does; memory ran out or its installation is broken")

    static func wrongLength(of what: String, is actual: Int, not expected: Int) -> CryptoError {
        CryptoError(.wrongLength, "\(what) has \(actual) bytes and needs \(expected); check where it was read from")
    }
}
