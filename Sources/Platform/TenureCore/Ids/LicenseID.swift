/// A license's id: a random 63-bit number, written as `lic_` and 13 digits of Crockford's base 32.
///
/// It is random because sequential numbers would reveal how many licenses have been sold.
public struct LicenseID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number; never negative, so that it fits a signed 64-bit integer.
    public let number: Int64

    /// Creates an id from its number; returns `nil` if it is negative.
    public init?(number: Int64) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// Generates a new id.
    public static func random(using generator: inout some RandomNumberGenerator) -> LicenseID {
        LicenseID(unchecked: Int64.random(in: 0 ... .max, using: &generator))
    }

    /// Parses the written form in upper or lower case; returns `nil` for any other text.
    public init?(text: some StringProtocol) {
        guard let number = NumberText.read(text, prefix: Self.prefix) else { return nil }
        self.init(number: number)
    }

    /// Parses the number in decimal digits, as Apple writes the id of an app license; returns `nil` for any other text
    /// and for numbers over 2^63 - 1.
    public init?(decimal text: some StringProtocol) {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(text)
        else { return nil }
        self.init(number: number)
    }

    /// The written form: `lic_` and 13 digits.
    public var description: String { NumberText.written(number, prefix: Self.prefix) }

    /// Compares the numbers.
    public static func < (one: LicenseID, other: LicenseID) -> Bool { one.number < other.number }

    private init(unchecked number: Int64) { self.number = number }

    private static let prefix = "lic_"
}
