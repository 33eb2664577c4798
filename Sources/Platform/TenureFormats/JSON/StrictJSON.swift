/// The JSON that Tenure accepts: RFC 8259 without texts that two parsers could read differently.
///
/// Beyond the grammar, these are rejected:
///
/// - duplicate member names in one object, compared after unescaping;
/// - a nesting depth over 32;
/// - a byte order mark;
/// - `\u` escapes of lone surrogates.
public enum StrictJSON {
    /// The maximum nesting depth of arrays and objects.
    public static let depthLimit = 32

    /// Validates a whole text in one pass without recursion; returns the type of its outermost value.
    ///
    /// The time depends only on the length of the text. Throws: any code of ``JSONError`` except `.notAnObject`.
    @discardableResult
    public static func validate(_ bytes: [UInt8]) throws(JSONError) -> JSONKind {
        var scanner = JSONScanner(bytes, range: 0..<bytes.count)
        return try scanner.scanText()
    }
}

/// The type of a JSON value (RFC 8259).
public enum JSONKind: String, Sendable, Hashable {
    /// An object, `{...}`.
    case object
    /// An array, `[...]`.
    case array
    /// A string, `"..."`.
    case string
    /// Any number.
    case number
    /// `true` or `false`.
    case boolean
    /// `null`.
    case null
}

/// Why bytes aren't the expected JSON.
///
/// Two errors are equal if their codes are.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code as written in logs and responses, such as `not_utf8`.
        public let text: String
        /// Creates a code from its text.
        public init(_ text: String) { self.text = text }
        /// The code's text.
        public var description: String { text }

        /// Some bytes aren't UTF-8: a broken or overlong sequence, or a surrogate.
        public static let notUTF8 = Code("not_utf8")
        /// Arrays and objects are nested deeper than 32 levels.
        public static let tooDeep = Code("too_deep")
        /// An object has two members with the same name.
        public static let duplicateMember = Code("duplicate_member")
        /// The text violates the grammar of RFC 8259.
        public static let malformed = Code("malformed")
        /// The text is JSON, but not the expected object, or for ``FlatObject/each(inArray:)`` not an array.
        public static let notAnObject = Code("not_an_object")
    }

    /// The kind of error; programs should depend on nothing else.
    public let code: Code

    /// The offset of the first invalid byte, counted from 0.
    public let offset: Int

    /// The fault at the offset, and the expected input.
    public let message: String

    init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    /// The code, offset and message in one line.
    public var description: String { "\(code) at byte \(offset): \(message)" }

    /// Compares the codes only.
    public static func == (one: JSONError, other: JSONError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
