import Foundation

/// A JSON text of any depth as a tree of values; for configuration, where speed does not matter.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name; duplicates have been refused.
    case object([String: JSONValue])

    /// Reads a JSON text with the strictness of ``StrictJSON``: UTF-8, depth 32, no duplicate members.
    ///
    /// Throws ``JSONError``, which says what is wrong at which byte.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        try StrictJSON.validate(bytes)
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        } catch {
            throw JSONError(.malformed, at: 0, "the text is not readable as JSON")
        }
    }

    /// What kind of value it is, for messages: `a list`, `a text`, ...
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSONValue: Decodable {
    /// Reads whatever value stands there.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
