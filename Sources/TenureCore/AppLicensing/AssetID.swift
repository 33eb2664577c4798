/// Names one asset of an app's version, a variant or a delta: the `publicId` of its manifest (`spec/apple.md` §6).
///
/// Apple's are UUIDs; here 1 to 64 of ASCII letters, digits and `-` are taken as they come, case included.
public struct AssetID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text itself.
    public let text: String

    /// Refuses a text of another shape.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.mayContain) else { return nil }
        self.text = text
    }

    /// The text itself.
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
