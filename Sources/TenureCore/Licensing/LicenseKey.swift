/// What is kept of a license key: enough to find it and to show it, not enough to type it.
///
/// The full text is shown once, at issue (design §6).
public struct LicenseKey: Sendable, Hashable {
    /// SHA-256 of the key's normal form; a lease's `licenseKeyHash`.
    public let hash: Digest

    /// The key with most of it hidden, for people.
    public let masked: String

    /// Pairs the two.
    public init(hash: Digest, masked: String) {
        self.hash = hash
        self.masked = masked
    }
}

/// A key that a license had before it was given another: it names the license still, and opens nothing any more.
public struct FormerKey: Sendable, Hashable {
    /// Whose key it was: a license of this product.
    public let product: ProductRef
    /// SHA-256 of the key's normal form.
    public let hash: Digest
    /// The license that had it last.
    public let license: LicenseID
    /// When that license got another one.
    public let replacedAt: Timestamp

    /// Puts it together.
    public init(product: ProductRef, hash: Digest, license: LicenseID, replacedAt: Timestamp) {
        self.product = product
        self.hash = hash
        self.license = license
        self.replacedAt = replacedAt
    }
}

/// The first group of a product's minted keys: 2 to 8 of `A`-`Z` and `0`-`9` (design §6).
public struct LicenseKeyPrefix: Sendable, Hashable, CustomStringConvertible {
    /// The prefix itself.
    public let text: String

    /// Refuses a text of another shape, lower case included.
    public init?(_ text: String) {
        guard Self.allows(Array(text.utf8)[...]) else { return nil }
        self.text = text
    }

    /// The prefix itself.
    public var description: String { text }

    /// Whether these bytes have the shape of a prefix.
    package static func allows(_ bytes: ArraySlice<UInt8>) -> Bool {
        (2...8).contains(bytes.count) && bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
    }
}
