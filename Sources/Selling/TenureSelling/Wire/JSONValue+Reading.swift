import TenureCore
import TenureFormats

/// Reads members of a provider's messages. A missing member, a member of another type, and `null` are read as `nil`.
extension JSONValue {
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self, let member = members[name], member != .null else { return nil }
        return member
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }

    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The elements of a list object, which providers wrap in `data`.
    var data: [JSONValue]? { self["data"]?.elements }

    /// The id of an object, which is written as the id alone or as the expanded object.
    var id: ProviderID? { (text ?? self["id"]?.text).flatMap { ProviderID($0) } }

    /// A time in POSIX seconds; `nil` if it's before 1970 or too late for Tenure to write.
    var seconds: Timestamp? {
        guard let integer, (0...Timestamp.latest.seconds).contains(integer) else { return nil }
        return Timestamp(seconds: integer)
    }

    /// A time as RFC 3339 text; `nil` for any other text, and for more than 40 bytes.
    var time: Timestamp? { text.flatMap { $0.utf8.count <= 40 ? Timestamp(text: $0) : nil } }

    /// An e-mail address to which letters can be sent; `nil` for any other text.
    var email: String? { text.flatMap { EmailAddress.read($0) } }

    /// A person's name, at most 200 bytes long; `nil` for an empty text, and for one with control characters or
    /// characters that change the text direction.
    var name: String? {
        guard let text, !text.isEmpty,
            !text.unicodeScalars.contains(where: \.misleads)
        else { return nil }
        return text.cut(toBytes: 200)
    }

    /// The license reference in a buyer's link; `nil` if it's empty or longer than 100 bytes.
    var license: String? { text.flatMap { (1...100).contains($0.utf8.count) ? $0 : nil } }

    /// An amount in minor units, written as a number or as decimal text of at most 18 bytes; `nil` otherwise.
    var amount: Int64? {
        if let integer { return integer }
        guard let text, (1...18).contains(text.utf8.count) else { return nil }
        return Int64(text)
    }

    /// A quantity; a negative number is read as 0.
    var quantity: Int? { integer.flatMap { Int(exactly: $0) }.map { max($0, 0) } }
}

extension Unicode.Scalar {
    /// Whether the scalar breaks a line or changes the text direction.
    fileprivate var misleads: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default:
            [0x061C, 0x200E, 0x200F].contains(value) || (0x202A...0x202E).contains(value)
                || (0x2066...0x2069).contains(value)
        }
    }
}
