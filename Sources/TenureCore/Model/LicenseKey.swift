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
