public import TenureCore

/// The stored part of a license key: enough to find and display it, but not to reconstruct it.
///
/// The full key is shown when the license is issued or rekeyed. After that, the server can compute it only if it was
/// derived (``LicenseKey/Derivation``).
public struct LicenseKey: Sendable, Hashable {
    /// The SHA-256 digest of the key's normal form; a lease's `licenseKeyHash`.
    public let hash: Digest

    /// The key with most characters hidden, for display.
    public let masked: String

    /// Creates the stored part of a key, without checking that the values belong together.
    public init(hash: Digest, masked: String) {
        self.hash = hash
        self.masked = masked
    }

    /// The number of characters that a masked key shows at its end.
    package static let endingLength = 4

    /// The key's last four characters; `nil` if the masked key hides them.
    package var ending: String? {
        let ending = masked.utf8.suffix(Self.endingLength)
        guard ending.count == Self.endingLength, !ending.contains(UInt8(ascii: "*")) else { return nil }
        return String(decoding: ending, as: UTF8.self)
    }
}

/// The first group of a product's generated keys: 2 to 8 characters of `A`-`Z` and `0`-`9`.
public struct LicenseKeyPrefix: Sendable, Hashable, CustomStringConvertible {
    /// The prefix in upper case, without the dash that follows it in keys.
    public let text: String

    /// Creates a prefix; returns `nil` if the text has another length or other characters, such as lower-case letters.
    public init?(_ text: String) {
        guard Self.allows(Array(text.utf8)[...]) else { return nil }
        self.text = text
    }

    /// The same as ``text``.
    public var description: String { text }

    /// The number of characters in the longest prefix.
    package static let longest = 8

    /// Whether these bytes form a valid prefix.
    package static func allows(_ bytes: ArraySlice<UInt8>) -> Bool {
        (2...longest).contains(bytes.count)
            && bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
    }
}
