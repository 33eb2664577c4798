/// Apple's name for an app, the same for all its versions: a number of 1 to 2^63 - 1.
public struct AppleItemID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number.
    public let number: UInt64

    /// Refuses 0 and what no database holds.
    public init?(number: UInt64) {
        guard (1...UInt64(Int64.max)).contains(number) else { return nil }
        self.number = number
    }

    /// Reads decimal digits without a leading zero; refuses everything else.
    public init?(text: some StringProtocol) {
        guard let number = decimal(text) else { return nil }
        self.init(number: number)
    }

    /// The decimal digits.
    public var description: String { String(number) }

    /// Orders by number.
    public static func < (one: AppleItemID, other: AppleItemID) -> Bool { one.number < other.number }
}

/// Apple's name for one version of an app: a number of 1 to 2^63 - 1.
public struct AppleVersionID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number.
    public let number: UInt64

    /// Refuses 0 and what no database holds.
    public init?(number: UInt64) {
        guard (1...UInt64(Int64.max)).contains(number) else { return nil }
        self.number = number
    }

    /// Reads decimal digits without a leading zero; refuses everything else.
    public init?(text: some StringProtocol) {
        guard let number = decimal(text) else { return nil }
        self.init(number: number)
    }

    /// The decimal digits.
    public var description: String { String(number) }

    /// Orders by number; Apple's numbers grow with time.
    public static func < (one: AppleVersionID, other: AppleVersionID) -> Bool { one.number < other.number }
}

private func decimal(_ text: some StringProtocol) -> UInt64? {
    guard (1...20).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        text.utf8.first != 0x30
    else { return nil }
    return UInt64(text)
}
