/// Why bytes or fields do not make the thing they should.
///
/// Two errors are equal when their codes are. No key, signature or whole document is in it.
public struct FormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Names the kind of fault; an open set.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// As logs and answers spell it, such as `malformed`.
        public let text: String
        /// Makes a code of its spelling.
        public init(_ text: String) { self.text = text }
        /// The spelling, for messages.
        public var description: String { text }

        /// The document is no JSON object; the cause says where it breaks.
        public static let malformed = Code("malformed")
        /// A member is missing, of the wrong type, or not of the shape that the format gives it.
        public static let badMember = Code("bad_member")
        /// A field holds `|` or `,`, which separate the fields of a signed text: it could be read in two ways.
        public static let separator = Code("separator_in_field")
        /// An encrypted request does not open, or does not read once it is open. Which one is not told.
        public static let unreadable = Code("unreadable")
        /// A signature is not the trusted key's over these bytes, or the document asks for another key or algorithm.
        public static let badSignature = Code("bad_signature")
        /// A document could not be encrypted or signed; the library or the signer failed.
        public static let notMade = Code("not_made")
    }

    /// The kind of fault.
    public let code: Code

    /// What is wrong and what to do next.
    public let message: String

    /// The fault in the JSON text, when that is what it was.
    public let cause: JSONError?

    /// Which rule of a package manifest was broken, when that is what it was.
    public let rule: ManifestRule?

    init(_ code: Code, _ message: String, cause: JSONError? = nil, rule: ManifestRule? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.rule = rule
    }

    /// Code, message and cause in one line.
    public var description: String {
        "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
    }

    /// Compares codes only.
    public static func == (one: FormatError, other: FormatError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
