/// Names a license on this server: a random number of 63 bits, written `lic_` and 13 digits of Crockford's base 32.
///
/// Random, because a number that counts would tell a competitor how many licenses were sold.
public struct LicenseID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number; never negative, so that every database and JSON reader can hold it.
    public let number: Int64

    /// Names a license by its number; refuses a negative one.
    public init?(number: Int64) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// Makes a new name.
    public static func random(using generator: inout some RandomNumberGenerator) -> LicenseID {
        LicenseID(unchecked: Int64.random(in: 0 ... .max, using: &generator))
    }

    /// Reads the written form, in either case; refuses everything else.
    public init?(text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.prefix.utf8.count + Self.digitCount, text.lowercased().hasPrefix(Self.prefix) else {
            return nil
        }
        var value: UInt64 = 0
        for byte in bytes.suffix(Self.digitCount) {
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            guard let digit = Self.digits.firstIndex(of: lower) else { return nil }
            guard value <= UInt64(Int64.max) >> 5 else { return nil }
            value = value << 5 | UInt64(digit)
        }
        self.init(number: Int64(value))
    }

    /// The written form.
    public var description: String {
        var rest = UInt64(number)
        var digits: [UInt8] = []
        for _ in 0..<Self.digitCount {
            digits.append(Self.digits[Int(rest & 31)])
            rest >>= 5
        }
        return Self.prefix + String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// Orders names by their numbers.
    public static func < (one: LicenseID, other: LicenseID) -> Bool { one.number < other.number }

    private init(unchecked number: Int64) { self.number = number }

    private static let prefix = "lic_"
    private static let digitCount = 13
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
