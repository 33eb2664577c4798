public import TenureCore
import TenureServerKit
public import TenureStore

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

extension LicenseCredential: Endable {}

extension LicenseCredential.Kind: StorableCode {}

extension LicenseCredential: Stored {
    /// What holders of licenses prove themselves with.
    public static let table = Table<LicenseCredential>(
        "license_credentials", key: ["hash"],
        [
            Field("hash") { $0.hash }, Field("license_id") { $0.license }, Field("kind") { $0.kind },
            Field("created_at") { $0.createdAt }, Field("expires_at") { $0.expiresAt },
            Field("ended_at") { $0.endedAt },
        ],
        parents: [License.table.shape]
    ) { row throws(StoreError) in
        LicenseCredential(
            hash: try row.next(), license: try row.next(), kind: try row.next(), createdAt: try row.next(),
            expiresAt: try row.next(), endedAt: try row.next())
    }

    /// All of them, the first to end first.
    public static let byExpiry = table.set("by_expiry", order: [.up("expires_at")])
    /// Those that were used up or closed, the first first.
    public static let byEnd = table.set("by_end", where: .isNotNull("ended_at"), order: [.up("ended_at")])
}

extension Asking {
    /// A credential of a license's holder by its hash, which comes twice: of two who use it at once, one waits.
    mutating func licenseCredential() -> RowLook<LicenseCredential> {
        hold(Guard.credential)
        return row(LicenseCredential.table.key)
    }
}
