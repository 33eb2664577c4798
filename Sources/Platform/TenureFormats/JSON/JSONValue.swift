/// A JSON text as a tree of values, for configuration files.
///
/// The time to parse it depends only on the length of the text, not on its content.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that is an integer and fits 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object's members by name; duplicate names are rejected.
    case object([String: JSONValue])

    /// Parses a JSON text as strictly as ``StrictJSON``: UTF-8, a depth of at most 32, no duplicate members.
    ///
    /// Throws ``JSONError`` with the fault and its offset.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        try StrictJSON.validate(bytes)
        var reader = JSONTreeReader(bytes)
        self = try reader.value()
    }

    /// The type in words for error messages, such as `an array` or `a string`.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Reads the values of a text that has already been validated, each byte once.
///
/// It recurses into nested values; validation has limited their depth to ``StrictJSON/depthLimit``.
private struct JSONTreeReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func value() throws(JSONError) -> JSONValue {
        skipSpace()
        switch bytes[position] {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .string(string())
        case UInt8(ascii: "t"): return literal(4, .bool(true))
        case UInt8(ascii: "f"): return literal(5, .bool(false))
        case UInt8(ascii: "n"): return literal(4, .null)
        default: return try number()
        }
    }

    private mutating func members() throws(JSONError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        while opens(before: UInt8(ascii: "}")) {
            let name = string()
            skipSpace()
            position += 1
            members[name] = try value()
        }
        return members
    }

    private mutating func elements() throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        while opens(before: UInt8(ascii: "]")) { elements.append(try value()) }
        return elements
    }

    /// Skips an opening bracket or a comma and returns true, or skips the closing bracket and returns false.
    private mutating func opens(before closer: UInt8) -> Bool {
        skipSpace()
        let isEnd = bytes[position] == closer
        position += 1
        skipSpace()
        guard !isEnd, bytes[position] == closer else { return !isEnd }
        position += 1
        return false
    }

    private mutating func string() -> String {
        let start = position + 1
        var isEscaped = false
        position = start
        while bytes[position] != UInt8(ascii: "\"") {
            let escapes = bytes[position] == UInt8(ascii: "\\")
            isEscaped = isEscaped || escapes
            position += escapes ? 2 : 1
        }
        let inside = bytes[start..<position]
        position += 1
        return String(decoding: isEscaped ? JSONText.unescaped(inside)[...] : inside, as: UTF8.self)
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        while position < bytes.count, Self.isOfNumber(bytes[position]) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else {
            throw JSONError(.malformed, at: start, "the number is too large")
        }
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
        default: false
        }
    }

    private mutating func literal(_ count: Int, _ value: JSONValue) -> JSONValue {
        position += count
        return value
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }
}
