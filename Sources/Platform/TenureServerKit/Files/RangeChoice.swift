/// The result of applying a `Range` field to a representation of known size (RFC 9110, 14).
///
/// A single byte range is honored. Several ranges and invalid fields are ignored, as the RFC permits, and the whole
/// representation is sent.
package enum RangeChoice: Sendable, Hashable {
    /// The whole representation, with status 200.
    case whole
    /// A part, with status 206. It's never empty and never goes beyond the end.
    case part(Range<Int64>)
    /// The range is outside the representation, so the status is 416.
    case unsatisfiable

    /// Applies a field value; without a value (`nil`), the whole representation is chosen.
    ///
    /// If a request has several `Range` fields, join their values with commas first.
    package init(_ field: String?, size: Int64) {
        self = field.flatMap { Self.read(Array($0.utf8), size: max(0, size)) } ?? .whole
    }

    /// Parses a field value; `nil` unless it has exactly one valid byte range.
    private static func read(_ field: [UInt8], size: Int64) -> RangeChoice? {
        let unit = Array("bytes=".utf8)
        guard field.count > unit.count, zip(field, unit).allSatisfy({ lowered($0) == $1 }) else { return nil }
        // A list may contain empty elements, which are ignored (RFC 9110, 5.6.1.2).
        let specs = field[unit.count...].split(separator: UInt8(ascii: ",")).map(trimmed).filter { !$0.isEmpty }
        guard let spec = specs.first, specs.count == 1 else { return nil }
        return read(spec, size: size)
    }

    private static func read(_ spec: ArraySlice<UInt8>, size: Int64) -> RangeChoice? {
        let sides = spec.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        if sides[0].isEmpty {
            guard let length = number(sides[1]) else { return nil }
            if length == 0 { return .unsatisfiable }
            return size == 0 ? .whole : .part(max(0, size - min(length, size))..<size)
        }
        guard let first = number(sides[0]) else { return nil }
        var end = size
        if !sides[1].isEmpty {
            guard let last = number(sides[1]), last >= first else { return nil }
            end = last < size ? last + 1 : size
        }
        return first < size ? .part(first..<end) : .unsatisfiable
    }

    /// Parses one or more digits; `nil` for other text. A number that is too large becomes `Int64.max`.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooLarge) = product.addingReportingOverflow(Int64(digit - 0x30))
            value = overflow || tooLarge ? .max : sum
        }
        return value
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
