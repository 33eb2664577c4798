/// Why bytes or fields aren't valid input for one of Tenure's formats.
///
/// Two errors are equal if their codes are. An error never contains a key, a signature or a whole document.
public struct FormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code as written in logs and responses, such as `malformed`.
        public let text: String
        /// Creates a code from its text.
        public init(_ text: String) { self.text = text }
        /// The code's text.
        public var description: String { text }

        /// The document isn't a JSON object; the error's cause contains the offset of the fault.
        public static let malformed = Code("malformed")
        /// A member is missing, has the wrong type or holds an invalid value.
        public static let badMember = Code("bad_member")
        /// A field contains `|` or `,`, which separate the fields of a signed text, so the text would be ambiguous.
        public static let separator = Code("separator_in_field")
        /// An encrypted request can't be decrypted, or its content can't be parsed.
        ///
        /// The error doesn't say which.
        public static let unreadable = Code("unreadable")
        /// The signature wasn't made over these bytes by the trusted key, or the header names another key or algorithm.
        public static let badSignature = Code("bad_signature")
        /// A document couldn't be encrypted or signed, because the library or the signer failed.
        public static let notMade = Code("not_made")
    }

    /// The kind of error; programs should depend on nothing else.
    public let code: Code

    /// The error message, which names the fault and the remedy.
    public let message: String

    /// The underlying JSON error, if there is one.
    public let cause: JSONError?

    /// The name of the rule that a member broke; `nil` in formats that don't name their rules.
    public let rule: String?

    /// Creates an error from its parts.
    package init(_ code: Code, _ message: String, cause: JSONError? = nil, rule: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.rule = rule
    }

    /// The code, message and cause in one line.
    public var description: String {
        "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
    }

    /// Compares the codes only.
    public static func == (one: FormatError, other: FormatError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
