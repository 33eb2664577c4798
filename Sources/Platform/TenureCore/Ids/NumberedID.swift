/// A type whose values have a random numeric id with a prefix.
public protocol Numbered: Sendable {
    /// The prefix of the written form, such as `enr_`.
    static var namePrefix: String { get }
}

/// An id: a random 63-bit number, written as a prefix and 13 digits of Crockford's base 32.
///
/// The phantom type keeps ids of different kinds apart. ``LicenseID`` has the same form but is a type of its own.
public struct NumberedID<Named: Numbered>: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number; never negative.
    public let number: Int64

    /// Creates an id from its number; returns `nil` if it is negative.
    public init?(number: Int64) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// Generates a new id.
    public static func random(using generator: inout some RandomNumberGenerator) -> NumberedID {
        NumberedID(unchecked: Int64.random(in: 0 ... .max, using: &generator))
    }

    /// Parses the written form in upper or lower case; returns `nil` for any other text.
    public init?(text: some StringProtocol) {
        guard let number = NumberText.read(text, prefix: Named.namePrefix) else { return nil }
        self.number = number
    }

    /// The written form: the prefix of the type and 13 digits.
    public var description: String { NumberText.written(number, prefix: Named.namePrefix) }

    /// Compares the numbers.
    public static func < (one: NumberedID, other: NumberedID) -> Bool { one.number < other.number }

    private init(unchecked number: Int64) { self.number = number }
}

/// Marks the ids of enrolments.
public enum EnrolmentTag: Numbered {
    /// The prefix of enrolment ids.
    public static let namePrefix = "enr_"
}

/// The id of an enrolment, written as `enr_` and 13 digits.
public typealias EnrolmentID = NumberedID<EnrolmentTag>

/// Marks the ids of content licenses.
public enum ContentLicenseTag: Numbered {
    /// The prefix of content license ids.
    public static let namePrefix = "clc_"
}

/// The id of a content license, written as `clc_` and 13 digits.
public typealias ContentLicenseID = NumberedID<ContentLicenseTag>

/// Reads and writes an id's number: a prefix and 13 digits of Crockford's base 32.
enum NumberText {
    static func read(_ text: some StringProtocol, prefix: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == prefix.utf8.count + digitCount, text.lowercased().hasPrefix(prefix) else { return nil }
        var value: UInt64 = 0
        for byte in bytes.suffix(digitCount) {
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            guard let digit = digits.firstIndex(of: lower) else { return nil }
            guard value <= UInt64(Int64.max) >> 5 else { return nil }
            value = value << 5 | UInt64(digit)
        }
        return Int64(value)
    }

    static func written(_ number: Int64, prefix: String) -> String {
        var written: [UInt8] = []
        written.reserveCapacity(prefix.utf8.count + digitCount)
        written += prefix.utf8
        for index in (0..<digitCount).reversed() {
            written.append(digits[Int(UInt64(number) >> UInt64(5 * index) & 31)])
        }
        return String(decoding: written, as: UTF8.self)
    }

    private static let digitCount = 13
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
