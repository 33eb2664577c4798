public import TenureCore

/// Something that proves to be the holder of one license, as it is stored: its hash, never its text.
public struct LicenseCredential: Sendable, Hashable {
    /// What the holder proves it with.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A link that opens one session on the license's page, once.
        case link
        /// The cookie of a session on the license's page.
        case session
    }

    /// SHA-256 of its text, unique on the server.
    public let hash: Digest
    /// Whose holder it proves.
    public let license: LicenseID
    /// What it is.
    public let kind: Kind
    /// When it was made.
    public let createdAt: Timestamp
    /// When it ends.
    public let expiresAt: Timestamp
    /// When it was used up or closed; nil while it works.
    public var endedAt: Timestamp?

    /// Puts it together.
    public init(
        hash: Digest, license: LicenseID, kind: Kind, createdAt: Timestamp, expiresAt: Timestamp,
        endedAt: Timestamp? = nil
    ) {
        self.hash = hash
        self.license = license
        self.kind = kind
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.endedAt = endedAt
    }

    /// Whether it works at a moment.
    public func works(at now: Timestamp) -> Bool { endedAt == nil && now < expiresAt }
}
