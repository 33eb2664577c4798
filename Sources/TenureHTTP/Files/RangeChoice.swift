/// What a `Range` field asks of something that has so many bytes (RFC 9110, 14).
///
/// One range in bytes is given; several are not, which the standard leaves to the server, nor what cannot be read: then the
/// whole is answered.
public enum RangeChoice: Sendable, Hashable {
    /// All of it, with 200.
    case whole
    /// These bytes, with 206; never empty, never beyond the end.
    case part(Range<Int64>)
    /// Nothing that there is, with 416.
    case unsatisfiable

    /// Reads a field; several fields are one with commas between their values, none is nil.
    public init(_ field: String?, size: Int64) {
        self = field.flatMap { Self.read(Array($0.utf8), size: max(0, size)) } ?? .whole
    }

    /// Nil for what is no list of ranges in bytes, or has more than one of them.
    private static func read(_ field: [UInt8], size: Int64) -> RangeChoice? {
        let unit = Array("bytes=".utf8)
        guard field.count > unit.count, zip(field, unit).allSatisfy({ lowered($0) == $1 }) else { return nil }
        // A list may have empty places, which count for nothing (RFC 9110, 5.6.1.2).
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

    /// The value of one or more digits; what no file reaches is the highest number.
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
