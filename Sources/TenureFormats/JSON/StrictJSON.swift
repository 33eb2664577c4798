/// The JSON that Tenure reads: RFC 8259, and no text that two readers could take differently.
///
/// Refused beyond the grammar: two members of one name in one object (compared as they read, after unescaping), more
/// than 32 levels, a byte order mark, and `\u` escapes of lone surrogates.
public enum StrictJSON {
    /// How deep arrays and objects may be nested.
    public static let depthLimit = 32

    /// Checks a whole text in one pass, without recursion, and answers what its outermost value is.
    ///
    /// Time grows with the length alone, whatever the bytes. Throws: every code of ``JSONError`` but `.notAnObject`.
    @discardableResult
    public static func validate(_ bytes: [UInt8]) throws(JSONError) -> JSONKind {
        var scanner = JSONScanner(bytes, range: 0..<bytes.count)
        return try scanner.scanText()
    }
}

/// What a JSON value is (RFC 8259).
public enum JSONKind: String, Sendable, Hashable {
    /// `{...}`
    case object
    /// `[...]`
    case array
    /// `"..."`
    case string
    /// Any number.
    case number
    /// `true` or `false`.
    case boolean
    /// `null`
    case null
}

/// Why bytes are not the JSON that was asked for.
///
/// Two errors are equal when their codes are.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Names the kind of fault; an open set.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// As logs and answers spell it, such as `not_utf8`.
        public let text: String
        /// Makes a code of its spelling.
        public init(_ text: String) { self.text = text }
        /// The spelling, for messages.
        public var description: String { text }

        /// Some bytes are not UTF-8: a broken or overlong sequence, or a surrogate.
        public static let notUTF8 = Code("not_utf8")
        /// Arrays and objects are nested more than 32 deep.
        public static let tooDeep = Code("too_deep")
        /// One object has two members of the same name.
        public static let duplicateMember = Code("duplicate_member")
        /// The text breaks the grammar of RFC 8259.
        public static let malformed = Code("malformed")
        /// The text is JSON, but not an object.
        public static let notAnObject = Code("not_an_object")
    }

    /// The kind of fault.
    public let code: Code

    /// The first byte at fault, counted from 0.
    public let offset: Int

    /// What is wrong there and what was expected, without the offset.
    public let message: String

    init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    /// Code, place and message in one line.
    public var description: String { "\(code) at byte \(offset): \(message)" }

    /// Compares codes only.
    public static func == (one: JSONError, other: JSONError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
