package import TenureCore
import TenureServerKit
package import TenureStore

/// A credential of a holder, stored as the hash of its text.
package struct HolderCredential: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable, StorableCode {
        /// A token that a device sends with every request.
        case token
        /// A link that opens one session on the learner page.
        case link
        /// The cookie of a session on the learner page.
        case session
    }

    /// The SHA-256 digest of the text, unique on the server.
    package let hash: Digest
    package let tenant: TenantID
    /// The holder's name; opaque text.
    package let holder: String
    package let kind: Kind
    /// The device to which a token is bound; `nil` for links and sessions.
    package let device: Digest?
    package let createdAt: Timestamp
    package let expiresAt: Timestamp
    /// When the credential was used, closed or revoked; `nil` if none of these has happened.
    package var endedAt: Timestamp?
    /// When the credential's device was released; `nil` if it wasn't.
    ///
    /// Since then, the token can only be used to report use.
    package var releasedAt: Timestamp?
    /// When a replacement token was last created; `nil` if there was none.
    package var succeededAt: Timestamp?

    package init(
        hash: Digest, tenant: TenantID, holder: String, kind: Kind, device: Digest?, createdAt: Timestamp,
        expiresAt: Timestamp, endedAt: Timestamp? = nil, releasedAt: Timestamp? = nil, succeededAt: Timestamp? = nil
    ) {
        self.hash = hash
        self.tenant = tenant
        self.holder = holder
        self.kind = kind
        self.device = device
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.endedAt = endedAt
        self.releasedAt = releasedAt
        self.succeededAt = succeededAt
    }

    /// Whether a replacement may be created: past half the lifetime, not released, and none within a day.
    ///
    /// If the lifetime is under eight days, an eighth of it applies instead of the day. A device whose response was
    /// lost therefore gets another replacement before the token expires.
    package func needsSuccessor(at now: Timestamp) -> Bool {
        let life = createdAt.seconds(until: expiresAt)
        guard releasedAt == nil, createdAt.seconds(until: now) * 2 > life else { return false }
        return succeededAt.map { $0.seconds(until: now) >= min(86_400, life / 8) } ?? true
    }
}

extension HolderCredential: Credential {
    package var expiry: Timestamp? { expiresAt }
}

extension HolderCredential: Stored {
    package static let table = Table<HolderCredential>(
        "holder_credentials", key: ["hash"],
        [
            Field("hash") { $0.hash }, Field("tenant") { $0.tenant }, Field("holder", namesPerson: true) { $0.holder },
            Field("kind") { $0.kind }, Field("device") { $0.device }, Field("created_at") { $0.createdAt },
            Field("expires_at") { $0.expiresAt }, Field("ended_at") { $0.endedAt },
            Field("released_at") { $0.releasedAt }, Field("succeeded_at") { $0.succeededAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [
            TableIndex("by_holder", "tenant", "holder"), TableIndex("by_expiry", "expires_at"),
            TableIndex("by_end", "ended_at", where: .isNotNull("ended_at")),
        ]
    ) { row in
        HolderCredential(
            hash: try row.next(), tenant: try row.next(), holder: try row.next(), kind: try row.next(),
            device: try row.next(), createdAt: try row.next(), expiresAt: try row.next(), endedAt: try row.next(),
            releasedAt: try row.next(), succeededAt: try row.next())
    }

    /// The credentials of a holder that haven't been ended.
    package static let ofHolder = table.set("of_holder", "tenant", "holder", where: .isNull("ended_at"))
    /// All credentials, by expiry.
    package static let byExpiry = table.set("by_expiry", order: [.up("expires_at")])
    /// The ended credentials, by end time.
    package static let byEnd = table.set("by_end", where: .isNotNull("ended_at"), order: [.up("ended_at")])
}
