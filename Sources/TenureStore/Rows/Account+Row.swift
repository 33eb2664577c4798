package import TenureCore

extension Account {
    /// The columns that ``read(_:)`` and ``storedValues`` go by, in their order.
    package static let columns: StaticString = "tenant, account, email, password_hash, created_at"
    /// What becomes of a row that is there already.
    package static let onConflict: StaticString = """
        ON CONFLICT (tenant, account) DO UPDATE SET email = excluded.email, password_hash = excluded.password_hash,
            created_at = excluded.created_at
        """

    package static func read(_ row: some StoredRow) throws(StoreError) -> Account {
        Account(
            ref: try row.account(0, 1), email: row.optionalText(2), passwordHash: row.optionalText(3),
            createdAt: row.moment(4))
    }

    package var storedValues: [StoredValue] {
        [.tenant(ref.tenant), .account(ref.account), .text(email), .text(passwordHash), .moment(createdAt)]
    }
}
