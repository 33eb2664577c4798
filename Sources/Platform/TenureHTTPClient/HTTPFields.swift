/// Header fields in order; names are compared without regard to ASCII case.
public struct HTTPFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name in its original case.
        public var name: String
        /// The value, without surrounding white space.
        public var value: String

        /// Creates a field from its parts, without validating them.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether the name is a token and the value has no characters that could end it (RFC 9110 §5.5).
        var isSendable: Bool {
            !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter)
                && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }

    /// The fields in the order in which they were added.
    public private(set) var fields: [Field] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list from the pairs of a literal, in their order.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map(Field.init)
    }

    /// Appends a field.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The value of the first field of that name; `nil` if there isn't one.
    public subscript(name: String) -> String? {
        let name = name.utf8.map(\.lowered)
        return fields.first { $0.name.utf8.lazy.map(\.lowered).elementsEqual(name) }?.value
    }
}

extension UInt8 {
    fileprivate var lowered: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    fileprivate var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
