extension FlatObject {
    /// Scans a document and names its format in error messages.
    package init(document: [UInt8], named format: String) throws(FormatError) {
        do {
            try self.init(scanning: document)
        } catch {
            throw FormatError(.malformed, "a \(format) must be a JSON object; request it again", cause: error)
        }
    }

    /// The value of a required member; throws `.badMember` if it is absent, `null` or of another type.
    package func require<Value>(_ name: String, _ member: FlatObject.Member<Value>) throws(FormatError) -> Value {
        switch member {
        case .value(let value): return value
        case .absent: throw FormatError(.badMember, "the field \"\(name)\" is missing")
        case .null: throw FormatError(.badMember, "the field \"\(name)\" must not be null")
        case .wrongType(let kind):
            throw FormatError(
                .badMember, "the field \"\(name)\" has the wrong type or is out of range: \(kind.rawValue)")
        }
    }

    /// The value of an optional member; `nil` if it is absent or `null`.
    ///
    /// Throws `.badMember` if it has another type.
    package func optional<Value>(_ name: String, _ member: FlatObject.Member<Value>) throws(FormatError) -> Value? {
        switch member {
        case .value(let value): return value
        case .absent, .null: return nil
        case .wrongType(let kind):
            throw FormatError(
                .badMember, "the field \"\(name)\" has the wrong type or is out of range: \(kind.rawValue)")
        }
    }

    /// Reads a string member and converts it; the member must be present and may be `null`, which gives `nil`.
    package func nullable<Value>(_ name: String, _ read: (String) -> Value?) throws(FormatError) -> Value? {
        if kind(name) == .null { return nil }
        guard let value = read(try require(name, string(name))) else {
            throw FormatError(.badMember, "the field \"\(name)\" has an invalid format")
        }
        return value
    }

    /// Reads an integer in a range; the member must be present and may be `null`, which gives `nil`.
    package func nullable(_ name: String, in range: ClosedRange<Int64>) throws(FormatError) -> Int64? {
        kind(name) == .null ? nil : try number(name, in: range)
    }

    /// Reads a required integer in a range.
    package func number(_ name: String, in range: ClosedRange<Int64>) throws(FormatError) -> Int64 {
        let number = try require(name, integer(name))
        guard range.contains(number) else {
            throw FormatError(.badMember, "the field \"\(name)\" is out of range")
        }
        return number
    }

    /// Reads a required string member and converts it; throws `.badMember` if the conversion fails.
    package func read<Value>(_ name: String, _ read: (String) -> Value?) throws(FormatError) -> Value {
        guard let value = read(try require(name, string(name))) else {
            throw FormatError(.badMember, "the field \"\(name)\" has an invalid format")
        }
        return value
    }

    /// Reads a required base64 string as leniently as Keylight's verifiers do.
    package func requireBase64(_ name: String) throws(FormatError) -> [UInt8] {
        guard let bytes = Base64.decodeLenient(try require(name, string(name))) else {
            throw FormatError(.badMember, "the field \"\(name)\" is not base64")
        }
        return bytes
    }

    /// Reads a required string of padded, standard base64, and accepts nothing else.
    package func requireStrictBase64(_ name: String) throws(FormatError) -> [UInt8] {
        guard let bytes = Base64.decode(try require(name, string(name))) else {
            throw FormatError(.badMember, "the field \"\(name)\" is not base64 with padding")
        }
        return bytes
    }
}
