import TenureCore

extension AccountCredential {
    /// The columns that ``read(_:)`` and ``storedValues`` go by, in their order.
    package static let columns: StaticString = "hash, tenant, account, kind, created_at, expires_at, ended_at"
    /// What becomes of a row that is there already.
    package static let onConflict: StaticString = "ON CONFLICT (hash) DO UPDATE SET ended_at = excluded.ended_at"

    package static func read(_ row: some StoredRow) throws(StoreError) -> AccountCredential {
        AccountCredential(
            hash: try row.digest(0), account: try row.account(1, 2), kind: try row.code(3, "a credential's kind"),
            createdAt: row.moment(4), expiresAt: row.optionalMoment(5), endedAt: row.optionalMoment(6))
    }

    package var storedValues: [StoredValue] {
        [
            .digest(hash), .tenant(account.tenant), .account(account.account), .text(kind.rawValue),
            .moment(createdAt), .moment(expiresAt), .moment(endedAt),
        ]
    }
}
