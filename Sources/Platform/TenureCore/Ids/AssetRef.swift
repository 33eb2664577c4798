/// Identifies an asset of an app's version.
public struct AssetRef: Sendable, Hashable, Comparable {
    /// The app's id at Apple.
    public let item: AppleItemID
    /// The id of the app's version at Apple.
    public let version: AppleVersionID
    /// The id of the asset, which is a variant or a delta, within the version.
    public let asset: AssetID

    /// Creates a reference without checking that the asset exists.
    public init(item: AppleItemID, version: AppleVersionID, asset: AssetID) {
        self.item = item
        self.version = version
        self.asset = asset
    }

    /// Compares by app, then version, then asset.
    public static func < (one: AssetRef, other: AssetRef) -> Bool {
        (one.item, one.version, one.asset) < (other.item, other.version, other.asset)
    }
}

/// Apple's id for an app, the same for all its versions: a number from 1 to 2^63 - 1.
public struct AppleItemID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number assigned by Apple.
    public let number: UInt64

    /// Creates an id; returns `nil` for 0 and for numbers over 2^63 - 1, which databases can't store.
    public init?(number: UInt64) {
        guard (1...UInt64(Int64.max)).contains(number) else { return nil }
        self.number = number
    }

    /// Parses decimal digits without a leading zero; returns `nil` for any other text.
    public init?(text: some StringProtocol) {
        guard let number = decimal(text) else { return nil }
        self.init(number: number)
    }

    /// The number in decimal digits.
    public var description: String { String(number) }

    /// Compares the numbers.
    public static func < (one: AppleItemID, other: AppleItemID) -> Bool { one.number < other.number }
}

/// Apple's id for one version of an app: a number from 1 to 2^63 - 1.
public struct AppleVersionID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number assigned by Apple.
    public let number: UInt64

    /// Creates an id; returns `nil` for 0 and for numbers over 2^63 - 1, which databases can't store.
    public init?(number: UInt64) {
        guard (1...UInt64(Int64.max)).contains(number) else { return nil }
        self.number = number
    }

    /// Parses decimal digits without a leading zero; returns `nil` for any other text.
    public init?(text: some StringProtocol) {
        guard let number = decimal(text) else { return nil }
        self.init(number: number)
    }

    /// The number in decimal digits.
    public var description: String { String(number) }

    /// Compares the numbers; Apple assigns larger ones to later versions.
    public static func < (one: AppleVersionID, other: AppleVersionID) -> Bool { one.number < other.number }
}

private func decimal(_ text: some StringProtocol) -> UInt64? {
    guard (1...20).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        text.utf8.first != 0x30
    else { return nil }
    return UInt64(text)
}

/// The id of a variant or delta of an app's version: the `publicId` in the version's manifest.
///
/// Apple uses UUIDs. Any 1 to 64 ASCII letters, digits and `-` are accepted, and case matters.
public struct AssetID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text as in the manifest.
    public let text: String

    /// Creates an id; returns `nil` if the text has another length or other characters.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.mayContain) else { return nil }
        self.text = text
    }

    /// The text itself, for messages.
    public var description: String { text }

    /// Compares the bytes.
    public static func < (one: AssetID, other: AssetID) -> Bool { one.text < other.text }

    private static func mayContain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
    }
}
