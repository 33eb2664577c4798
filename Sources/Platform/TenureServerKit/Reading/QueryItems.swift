import TenureHTTP

/// The names and values of a query such as `state=active&limit=10`, percent-decoded. A `+` becomes a space.
package struct QueryItems: Sendable, Hashable {
    /// The names and values in the order of the query. Each name occurs once.
    package let items: [(name: String, value: String)]

    /// The reason why a query can't be parsed.
    package enum Fault: Error, Sendable, Hashable {
        /// A name or value isn't percent-encoded UTF-8.
        case malformed
        /// The name occurs several times, so that two programs could use different values of it.
        case repeated(String)
    }

    /// Parses a query; `nil` if the query is malformed or contains a name twice.
    package init?(_ query: String) {
        guard let items = try? QueryItems(parsing: query) else { return nil }
        self = items
    }

    /// Parses a query. Throws ``Fault`` if it's malformed or contains a name twice.
    package init(parsing query: String) throws(Fault) {
        let text = query.utf8.span
        var items: [(name: String, value: String)] = []
        var names: Set<[UInt8]> = []
        var start = 0
        while start < text.count {
            let end = Self.first(UInt8(ascii: "&"), in: text, start..<text.count)
            if start < end {
                let equals = Self.first(UInt8(ascii: "="), in: text, start..<end)
                guard let name = Self.decoded(text.extracting(start..<equals)),
                    let value = Self.decoded(text.extracting(min(equals + 1, end)..<end))
                else { throw .malformed }
                if items.count == Self.comparedNames { names = Set(items.map { Array($0.name.utf8) }) }
                let isNew =
                    items.count < Self.comparedNames
                    ? !items.contains { Self.sameBytes($0.name, name) } : names.insert(Array(name.utf8)).inserted
                guard isNew else { throw .repeated(name) }
                items.append((name, value))
            }
            start = end + 1
        }
        self.items = items
    }

    /// The value of a name; `nil` if the query lacks the name.
    package subscript(name: String) -> String? {
        items.first { Self.sameBytes($0.name, name) }?.value
    }

    /// Compares bytes, because Swift's comparison would treat a Kelvin sign as a K, which no other program does.
    private static func sameBytes(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

    /// Whether both queries have the same names and values in the same order.
    package static func == (one: QueryItems, other: QueryItems) -> Bool {
        one.items.elementsEqual(other.items) { sameBytes($0.name, $1.name) && sameBytes($0.value, $1.value) }
    }

    /// Hashes what `==` compares.
    package func hash(into hasher: inout Hasher) {
        for item in items {
            hasher.combine(item.name)
            hasher.combine(item.value)
        }
    }

    /// Up to this number of names, each new name is compared with the others. Further names go into a set. Otherwise,
    /// anyone could occupy the processor with the thousands of names that fit into a form.
    private static let comparedNames = 16

    /// The index of the first occurrence of a byte in the range, or the end of the range if the byte doesn't occur.
    private static func first(_ byte: UInt8, in text: Span<UInt8>, _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, text[index] != byte { index += 1 }
        return index
    }

    private static func decoded(_ text: Span<UInt8>) -> String? {
        // Most names and values need no decoding.
        let isPlain = text.indices.allSatisfy { text[$0] != UInt8(ascii: "+") && text[$0] != UInt8(ascii: "%") }
        if isPlain { return String(utf8: text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard index + 2 < text.count, let high = value(text[index + 1]), let low = value(text[index + 2])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            case let byte: bytes.append(byte)
            }
            index += 1
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
