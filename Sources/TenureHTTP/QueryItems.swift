/// The names and values of a query such as `state=active&limit=10`, percent-decoded; `+` is a space.
public struct QueryItems: Sendable, Hashable {
    /// The items in their order.
    public let items: [(name: String, value: String)]

    /// Reads a query; refuses one that is not well-formed or that names the same thing twice.
    public init?(_ query: String) {
        var items: [(name: String, value: String)] = []
        for part in query.split(separator: "&", omittingEmptySubsequences: true) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0]), let value = Self.decoded(sides.count > 1 ? sides[1] : ""),
                !items.contains(where: { $0.name == name })
            else { return nil }
            items.append((name, value))
        }
        self.items = items
    }

    /// The value of that name; nil when it is absent.
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

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                    rest.prefix(2).allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
