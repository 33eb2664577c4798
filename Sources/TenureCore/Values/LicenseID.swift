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
        guard let number = NumberText.read(text, prefix: Self.prefix) else { return nil }
        self.init(number: number)
    }

    /// The written form.
    public var description: String { NumberText.written(number, prefix: Self.prefix) }

    /// Orders names by their numbers.
    public static func < (one: LicenseID, other: LicenseID) -> Bool { one.number < other.number }

    private init(unchecked number: Int64) { self.number = number }

    private static let prefix = "lic_"
}
