extension FlatObject {
    /// Scans a document of a format, named for its errors.
    init(document: [UInt8], named format: String) throws(FormatError) {
        do {
            try self.init(scanning: document)
        } catch {
            throw FormatError(.malformed, "a \(format) must be a JSON object; ask for it again", cause: error)
        }
    }

    /// The value of a member that the format cannot do without.
    func require<Value>(_ name: String, _ member: JSONMember<Value>) throws(FormatError) -> Value {
        switch member {
        case .value(let value): return value
        case .absent: throw FormatError(.badMember, "the member \"\(name)\" is missing")
        case .null: throw FormatError(.badMember, "the member \"\(name)\" may not be null")
        case .wrongType(let kind):
            throw FormatError(.badMember, "the member \"\(name)\" may not be this \(kind.rawValue)")
        }
    }

    /// The value of a member that may be absent or null, but not something else.
    func optional<Value>(_ name: String, _ member: JSONMember<Value>) throws(FormatError) -> Value? {
        switch member {
        case .value(let value): return value
        case .absent, .null: return nil
        case .wrongType(let kind):
            throw FormatError(.badMember, "the member \"\(name)\" may not be this \(kind.rawValue)")
        }
    }

    /// What a text member reads as, which must be there and may be null.
    func nullable<Value>(_ name: String, _ read: (String) -> Value?) throws(FormatError) -> Value? {
        if kind(name) == .null { return nil }
        guard let value = read(try require(name, string(name))) else {
            throw FormatError(.badMember, "the member \"\(name)\" is not of its shape")
        }
        return value
    }

    /// A whole number that must be there and may be null, and is in a range.
    func nullable(_ name: String, in range: ClosedRange<Int64>) throws(FormatError) -> Int64? {
        kind(name) == .null ? nil : try number(name, in: range)
    }

    /// A whole number that must be there, and is in a range.
    func number(_ name: String, in range: ClosedRange<Int64>) throws(FormatError) -> Int64 {
        let number = try require(name, integer(name))
        guard range.contains(number) else {
            throw FormatError(.badMember, "the member \"\(name)\" is not in its range")
        }
        return number
    }

    /// A text that must be there, and stands for something.
    func read<Value>(_ name: String, _ read: (String) -> Value?) throws(FormatError) -> Value {
        guard let value = read(try require(name, string(name))) else {
            throw FormatError(.badMember, "the member \"\(name)\" is not of its shape")
        }
        return value
    }

    /// A string member that holds base64 in any of the ways Keylight's verifiers read it.
    func requireBase64(_ name: String) throws(FormatError) -> [UInt8] {
        guard let bytes = Base64.decodeLenient(try require(name, string(name))) else {
            throw FormatError(.badMember, "the member \"\(name)\" is not base64")
        }
        return bytes
    }

    /// A string member that holds base64 with the standard alphabet and padding, and nothing else.
    func requireStrictBase64(_ name: String) throws(FormatError) -> [UInt8] {
        guard let bytes = Base64.decode(try require(name, string(name))) else {
            throw FormatError(.badMember, "the member \"\(name)\" is not base64 with padding")
        }
        return bytes
    }
}
