import TenureCore

/// A text of fields between bars that is about to be signed or verified.
///
/// A field that holds a separator is refused: the same bytes would stand for other fields as well, and one signature
/// for two meanings (`spec/keylight.md` §1.6, weak point 3).
struct SignedText {
    private(set) var bytes: [UInt8]

    init(version: String) {
        bytes = Array(version.utf8)
        bytes.reserveCapacity(256)
    }

    mutating func add(_ field: String, named name: String) throws(FormatError) {
        try Self.check(field, named: name)
        bytes.append(UInt8(ascii: "|"))
        bytes.append(contentsOf: field.utf8)
    }

    mutating func add(_ number: Int64) {
        bytes.append(UInt8(ascii: "|"))
        bytes.appendJSON(number)
    }

    mutating func add(_ moment: Timestamp) {
        add(moment.seconds)
    }

    mutating func add(_ truth: Bool) {
        bytes.append(UInt8(ascii: "|"))
        bytes.appendJSON(truth)
    }

    /// Adds one field that holds the items in the order of their bytes.
    mutating func add(sorted items: [String], named name: String) throws(FormatError) {
        bytes.append(UInt8(ascii: "|"))
        let sorted = items.count < 2 ? items : items.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for (index, item) in sorted.enumerated() {
            try Self.check(item, named: name)
            // One empty item would read as none.
            guard !item.isEmpty else { throw FormatError(.badMember, "an item of \(name) is empty; leave it out") }
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: item.utf8)
        }
    }

    private static func check(_ field: String, named name: String) throws(FormatError) {
        guard !field.utf8.contains(where: { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: ",") }) else {
            throw FormatError(.separator, "\(name) holds '|' or ',', which separate signed fields; rename it")
        }
    }
}
