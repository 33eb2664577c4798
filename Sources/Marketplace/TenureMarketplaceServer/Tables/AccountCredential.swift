package import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
package import TenureStore

/// An account's credential as stored: the hash of its text, never the text.
package struct AccountCredential: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A bearer token for device and app requests.
        case token
        /// A one-time link that opens a session on the resolution page.
        case link
        /// The cookie of a session on the resolution page.
        case session
    }

    /// The SHA-256 of the credential's text, unique on the server.
    package let hash: Digest
    package let account: AccountRef
    package let kind: Kind
    package let createdAt: Timestamp
    /// When the credential expires; `nil` if it never expires.
    package let expiresAt: Timestamp?
    /// When the credential was used or revoked; `nil` if neither has happened.
    package var endedAt: Timestamp?

    package init(
        hash: Digest, account: AccountRef, kind: Kind, createdAt: Timestamp, expiresAt: Timestamp?,
        endedAt: Timestamp? = nil
    ) {
        self.hash = hash
        self.account = account
        self.kind = kind
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.endedAt = endedAt
    }

    /// The id for display: `cred_` and the first 64 bits of the hash, which don't reveal the text.
    package var id: String { "cred_" + Hex.encode(Array(hash.bytes.prefix(Self.idLength))) }

    /// The number of hash bytes in an id.
    static let idLength = 8
}

extension AccountCredential: Credential {
    package var expiry: Timestamp? { expiresAt }
}

extension SignIn: Credential {
    package var expiry: Timestamp? { expiresAt }
}

extension AccountCredential.Kind: StorableCode {}

extension AccountCredential: Stored {
    package static let table = Table<AccountCredential>(
        "credentials", key: ["hash"],
        [
            Field("hash") { $0.hash }, Field("tenant") { $0.account.tenant },
            Field("account", namesPerson: true) { $0.account.account }, Field("kind") { $0.kind },
            Field("created_at") { $0.createdAt }, Field("expires_at") { $0.expiresAt },
            Field("ended_at") { $0.endedAt },
        ],
        foreignKeys: [ForeignKey(to: Account.self)],
        indexes: [
            TableIndex("by_account", "tenant", "account"),
            TableIndex("by_expiry", "expires_at", where: .isNotNull("expires_at")),
            TableIndex("by_end", "ended_at", where: .isNotNull("ended_at")),
        ]
    ) { row in
        AccountCredential(
            hash: try row.next(), account: try row.account(), kind: try row.next(), createdAt: try row.next(),
            expiresAt: try row.next(), endedAt: try row.next())
    }

    /// The credentials of an account, including ended ones.
    package static let ofAccount = table.set("of_account", "tenant", "account")
    /// The credentials that expire, sorted by expiry.
    package static let byExpiry = table.set("by_expiry", where: .isNotNull("expires_at"), order: [.up("expires_at")])
    /// The credentials that were used or revoked, sorted by their end.
    package static let byEnd = table.set("by_end", where: .isNotNull("ended_at"), order: [.up("ended_at")])
}
