/// Header fields, in the order in which they were added; names are compared without regard to ASCII case.
public struct Headers: Sendable, Hashable, ExpressibleByDictionaryLiteral {
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

        /// Whether the name is a token, and every byte of the value may occur in a field's value (RFC 9110, 5.5).
        package var isSendable: Bool {
            Headers.isToken(name) && value.utf8.allSatisfy(Headers.isValueByte)
        }
    }

    /// The fields in the order in which they were added.
    public private(set) var fields: [Field] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list from fields, in their order.
    public init(_ fields: [Field]) {
        self.fields = fields
    }

    /// Creates a list from the pairs of a literal, in their order.
    public init(dictionaryLiteral elements: (String, String)...) {
        // Every response gets a few more fields before it is sent.
        fields.reserveCapacity(elements.count + 5)
        for (name, value) in elements { add(name, value) }
    }

    /// Creates a list with one field, and with room for those that every response gets before it is sent.
    public init(_ name: String, _ value: String) {
        fields.reserveCapacity(6)
        add(name, value)
    }

    /// Appends a field.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes all fields of that name and appends this one.
    public mutating func set(_ name: String, _ value: String) {
        fields.removeAll { Headers.sameName($0.name, name) }
        add(name, value)
    }

    /// The value of the first field of that name; `nil` if there isn't one.
    public subscript(name: String) -> String? {
        for field in fields where Headers.sameName(field.name, name) { return field.value }
        return nil
    }

    /// The values of all fields of that name, in the order in which the fields were added.
    public func values(_ name: String) -> [String] {
        fields.filter { Headers.sameName($0.name, name) }.map(\.value)
    }

    /// Whether two field names are equal without regard to ASCII case.
    package static func sameName(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        // Most names are sent in the usual case, and equal strings are compared quickly.
        return one == other || zip(one.utf8, other.utf8).allSatisfy { lowered($0) == lowered($1) }
    }

    /// Whether a text can be a method or a field's name (RFC 9110, 5.6.2).
    package static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }

    /// Whether a byte may occur in a method or a field's name.
    ///
    /// Inlinable, like ``isValueByte(_:)``, because the server calls it for each byte of a request's head.
    @inlinable package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }

    /// Whether a byte may occur in a field's value (RFC 9110, 5.5).
    @inlinable package static func isValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 ? byte != 0x7F : byte == 0x09 }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
