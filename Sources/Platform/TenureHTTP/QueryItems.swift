/// The names and values of a query such as `state=active&limit=10`, percent-decoded; `+` is a space.
public struct QueryItems: Sendable, Hashable {
    /// The names and values in the order of the query; each name occurs once.
    public let items: [(name: String, value: String)]

    /// Parses a query; `nil` if it is malformed or contains a name twice.
    public init?(_ query: String) {
        var items: [(name: String, value: String)] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = Self.decoded(part[..<end]), let value = Self.decoded(part[end...].dropFirst()),
                !items.contains(where: { $0.name == name })
            else { return nil }
            items.append((name, value))
        }
        self.items = items
    }

    /// The value of that name; `nil` if it is absent.
    public subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// Compares names and values in order.
    public static func == (one: QueryItems, other: QueryItems) -> Bool {
        one.items.elementsEqual(other.items) { $0 == $1 }
    }

    /// Hashes names and values in order.
    public func hash(into hasher: inout Hasher) {
        for item in items {
            hasher.combine(item.name)
            hasher.combine(item.value)
        }
    }

    private static func decoded(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(utf8: bytes.span)
    }

    /// The value of a hexadecimal digit.
    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
