public import TenureCore

/// An answer that is given again, word for word, when its request is sent again with the same idempotency key.
public struct RememberedAnswer: Sendable, Hashable {
    /// Names the request: a digest of the tenant and of the key that the client chose.
    public let key: Digest
    /// A digest of what was asked, to notice a key that is used for something else.
    public let fingerprint: Digest
    /// The answer, sealed under the master key: it may hold a license key's text.
    public let sealed: [UInt8]
    /// When it was given.
    public let at: Timestamp

    /// Puts it together.
    public init(key: Digest, fingerprint: Digest, sealed: [UInt8], at: Timestamp) {
        self.key = key
        self.fingerprint = fingerprint
        self.sealed = sealed
        self.at = at
    }

    /// How long answers are remembered, in seconds: 24 hours.
    public static let lifetime: Int64 = 86_400
}
