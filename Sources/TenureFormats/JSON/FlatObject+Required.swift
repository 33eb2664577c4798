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
