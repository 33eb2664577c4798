/// Names an asset of an app's version.
public struct AssetRef: Sendable, Hashable, Comparable {
    /// Of which app.
    public let item: AppleItemID
    /// Of which version.
    public let version: AppleVersionID
    /// Which variant or delta.
    public let asset: AssetID

    /// Names an asset.
    public init(item: AppleItemID, version: AppleVersionID, asset: AssetID) {
        self.item = item
        self.version = version
        self.asset = asset
    }

    /// Orders by app, version, asset.
    public static func < (one: AssetRef, other: AssetRef) -> Bool {
        (one.item, one.version, one.asset) < (other.item, other.version, other.asset)
    }
}

/// Apple's name for an app, the same for all its versions: a number of 1 to 2^63 - 1.
public struct AppleItemID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// As Apple gives it out.
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
    /// As Apple gives it out.
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

/// Names one asset of an app's version, a variant or a delta: the `publicId` of its manifest (`spec/apple.md` §6).
///
/// Apple's are UUIDs; here 1 to 64 of ASCII letters, digits and `-` are taken as they come, case included.
public struct AssetID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// As the manifest has it.
    public let text: String

    /// Refuses a text of another shape.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.mayContain) else { return nil }
        self.text = text
    }

    /// The text without more, for messages.
    public var description: String { text }

    /// Orders by bytes.
    public static func < (one: AssetID, other: AssetID) -> Bool { one.text < other.text }

    private static func mayContain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
    }
}
