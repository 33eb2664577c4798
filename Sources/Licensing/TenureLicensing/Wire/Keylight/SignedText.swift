import TenureCore
import TenureFormats

/// A text of fields separated by `|`, to be signed or verified.
///
/// A field that contains a separator is rejected. Otherwise, the same bytes could be split into other fields, and one
/// signature would cover both meanings.
struct SignedText {
    private(set) var bytes: [UInt8]

    init(version: String) {
        bytes = []
        bytes.reserveCapacity(256)
        bytes.append(contentsOf: version.utf8)
    }

    mutating func add(_ field: String, named name: String) throws(FormatError) {
        bytes.append(UInt8(ascii: "|"))
        try append(field, named: name)
    }

    mutating func add(_ number: Int64) {
        bytes.append(UInt8(ascii: "|"))
        bytes.appendJSON(number)
    }

    mutating func add(_ time: Timestamp) {
        add(time.seconds)
    }

    mutating func add(_ truth: Bool) {
        bytes.append(UInt8(ascii: "|"))
        bytes.appendJSON(truth)
    }

    /// Adds one field with the items, sorted by their bytes and joined with commas.
    mutating func add(sorted items: [String], named name: String) throws(FormatError) {
        bytes.append(UInt8(ascii: "|"))
        func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
        // A lease's entitlements are sorted already, and sorting would allocate.
        let isSorted = zip(items, items.dropFirst()).allSatisfy { one, next in !precedes(next, one) }
        let sorted = isSorted ? items : items.sorted(by: precedes)
        for (index, item) in sorted.enumerated() {
            // A single empty item would be indistinguishable from no items.
            guard !item.isEmpty else { throw FormatError(.badMember, "\(name) has an empty item; leave it out") }
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            try append(item, named: name)
        }
    }

    private mutating func append(_ field: String, named name: String) throws(FormatError) {
        let start = bytes.count
        bytes.append(contentsOf: field.utf8)
        let hasSeparator = bytes[start...].contains { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: ",") }
        guard !hasSeparator else {
            throw FormatError(.separator, "\(name) contains '|' or ',', which separate signed fields; remove them")
        }
    }
}
