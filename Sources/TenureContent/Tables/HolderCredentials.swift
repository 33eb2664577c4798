package import TenureCore
import TenureServerKit
package import TenureStore

/// Something that proves to be a holder of contents, as it is stored: its hash, never its text.
package struct HolderCredential: Sendable, Hashable {
    /// What the holder proves it with.
    package enum Kind: String, Sendable, Hashable, CaseIterable, StorableCode {
        /// A token, which a device shows in every request.
        case token
        /// A link that opens one session on the learner's page, once.
        case link
        /// The cookie of a session on the learner's page.
        case session
    }

    /// SHA-256 of its text, unique on the server.
    package let hash: Digest
    /// Whose holder it proves.
    package let tenant: TenantID
    /// The holder; opaque text.
    package let holder: String
    /// What it is.
    package let kind: Kind
    /// The device that it is bound to; nil for a link and a session.
    package let device: Digest?
    /// When it was made.
    package let createdAt: Timestamp
    /// When it ends.
    package let expiresAt: Timestamp
    /// When it was used up, closed or taken back; nil while it works.
    package var endedAt: Timestamp?
    /// When its device was released, so that it only reports since; nil while it may ask.
    package var releasedAt: Timestamp?
    /// When a token that takes its place was last made; nil before the first.
    package var succeededAt: Timestamp?

    /// Puts it together.
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

    /// Whether it works at a moment.
    package func works(at now: Timestamp) -> Bool { endedAt == nil && now < expiresAt }

    /// Whether a successor may be made: half of its life has passed, its device was not released, and none was made
    /// within a day. A token that lives less than eight days waits an eighth of its life instead, so that a device whose
    /// answer was lost gets another successor before the token ends.
    package func needsSuccessor(at now: Timestamp) -> Bool {
        let life = createdAt.seconds(until: expiresAt)
        guard releasedAt == nil, createdAt.seconds(until: now) * 2 > life else { return false }
        return succeededAt.map { $0.seconds(until: now) >= min(86_400, life / 8) } ?? true
    }
}

extension HolderCredential: Endable {}

extension HolderCredential: Stored {
    /// What holders of contents prove themselves with.
    package static let table = Table<HolderCredential>(
        "holder_credentials", key: ["hash"],
        [
            Field("hash") { $0.hash }, Field("tenant") { $0.tenant }, Field("holder") { $0.holder },
            Field("kind") { $0.kind }, Field("device") { $0.device }, Field("created_at") { $0.createdAt },
            Field("expires_at") { $0.expiresAt }, Field("ended_at") { $0.endedAt },
            Field("released_at") { $0.releasedAt }, Field("succeeded_at") { $0.succeededAt },
        ],
        parents: [TenantRow.table.shape]
    ) { row throws(StoreError) in
        HolderCredential(
            hash: try row.next(), tenant: try row.next(), holder: try row.next(), kind: try row.next(),
            device: try row.next(), createdAt: try row.next(), expiresAt: try row.next(), endedAt: try row.next(),
            releasedAt: try row.next(), succeededAt: try row.next())
    }

    /// A holder's that were not ended.
    package static let ofHolder = table.set("of_holder", "tenant", "holder", where: .isNull("ended_at"))
    /// All of them, the first to end first.
    package static let byExpiry = table.set("by_expiry", order: [.up("expires_at")])
    /// Those that were ended, the first first.
    package static let byEnd = table.set("by_end", where: .isNotNull("ended_at"), order: [.up("ended_at")])
}
