/// The entity tags in an `If-Match`, `If-None-Match` or `If-Range` field (RFC 9110, 8.8.3 and 13.1).
package enum EntityTags: Sendable, Hashable {
    /// `*`, which matches any existing representation.
    case any
    /// A list of tags.
    case named([Named])

    /// A tag in the list.
    package struct Named: Sendable, Hashable {
        /// The tag with its quotes, without `W/`.
        package let tag: String
        /// Whether the tag is weak: it then identifies equivalent content, not identical bytes.
        package let isWeak: Bool
    }

    /// Parses a field value; `nil` if the value is `nil` or isn't a list of tags.
    ///
    /// If a request has several fields of that name, join their values with commas first.
    package init?(_ field: String?) {
        guard let field else { return nil }
        var rest = Array(field.utf8)[...]
        if Self.withoutBlanks(rest).elementsEqual([UInt8(ascii: "*")]) {
            self = .any
            return
        }
        var tags: [Named] = []
        while true {
            while let byte = rest.first, byte == 0x20 || byte == 0x09 || byte == 0x2C { rest.removeFirst() }
            if rest.isEmpty { break }
            var isWeak = false
            if rest.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")]) {
                isWeak = true
                rest.removeFirst(2)
            }
            guard rest.first == 0x22, let end = rest.dropFirst().firstIndex(of: 0x22),
                rest[rest.startIndex...end].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else { return nil }
            tags.append(Named(tag: String(decoding: rest[rest.startIndex...end], as: UTF8.self), isWeak: isWeak))
            rest = rest[(end + 1)...]
            guard let next = Self.withoutBlanks(rest).first else { break }
            guard next == 0x2C else { return nil }
        }
        if tags.isEmpty { return nil }
        self = .named(tags)
    }

    /// Whether the field is `*` or lists this tag by weak comparison, which applies to cached responses.
    package func matchWeakly(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .named(let tags): tags.contains { $0.tag == tag }
        }
    }

    /// Whether the field is `*` or lists this tag by strong comparison, which applies to resumed downloads.
    package func matchStrongly(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .named(let tags): tags.contains { $0.tag == tag && !$0.isWeak }
        }
    }

    private static func withoutBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }
}
