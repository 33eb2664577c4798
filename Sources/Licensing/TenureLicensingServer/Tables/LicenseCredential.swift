public import TenureCore
import TenureLicensing
import TenureServerKit
public import TenureStore

/// A stored credential of a license's holder, which contains the hash of its text, never the text.
public struct LicenseCredential: Sendable, Hashable {
    /// The uses of a credential: a link or the cookie of a session.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A one-time link that opens a session on the license's page.
        case link
        /// The cookie of a session on the license's page.
        case session
    }

    /// The SHA-256 of the credential's text, unique on the server.
    public let hash: Digest
    /// The license whose holder the credential authenticates.
    public let license: LicenseID
    /// Whether the credential is a link or the cookie of a session.
    public let kind: Kind
    /// When the credential was created.
    public let createdAt: Timestamp
    /// When the credential expires.
    public let expiresAt: Timestamp
    /// When the credential was used up or closed; `nil` until then.
    public var endedAt: Timestamp?

    /// Creates a credential with these values, which aren't checked.
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
}

extension LicenseCredential: Credential {
    package var expiry: Timestamp? { expiresAt }
}

extension LicenseCredential.Kind: StorableCode {}

extension LicenseCredential: Stored {
    /// The credentials of licenses' holders.
    public static let table = Table<LicenseCredential>(
        "license_credentials", key: ["hash"],
        [
            Field("hash") { $0.hash }, Field("license_id") { $0.license }, Field("kind") { $0.kind },
            Field("created_at") { $0.createdAt }, Field("expires_at") { $0.expiresAt },
            Field("ended_at") { $0.endedAt },
        ],
        foreignKeys: [ForeignKey("license_id", to: License.self)],
        indexes: [
            TableIndex("by_license", "license_id", where: .isNull("ended_at")),
            TableIndex("by_expiry", "expires_at"),
            TableIndex("by_end", "ended_at", where: .isNotNull("ended_at")),
        ]
    ) { row in
        LicenseCredential(
            hash: try row.next(), license: try row.next(), kind: try row.next(), createdAt: try row.next(),
            expiresAt: try row.next(), endedAt: try row.next())
    }

    /// The credentials of a license that haven't been ended, oldest first.
    public static let ofLicense = table.set(
        "of_license", "license_id", where: .isNull("ended_at"), order: [.up("created_at")])
    /// All credentials, in the order of their expiry.
    public static let byExpiry = table.set("by_expiry", order: [.up("expires_at")])
    /// The credentials that were used up or closed, earliest first.
    public static let byEnd = table.set("by_end", where: .isNotNull("ended_at"), order: [.up("ended_at")])
}

extension QueryBuilder {
    /// Reads a credential by its hash, under a lock.
    ///
    /// Of two requests that use the credential at once, one waits for the other.
    mutating func licenseCredential(
        _ hash: @escaping @Sendable (Parameters) -> Digest
    ) -> RowQuery<LicenseCredential> {
        hold(QueryLock.credential) { [.of(hash($0))] }
        return row(LicenseCredential.table.key) { [.of(hash($0))] }
    }
}
