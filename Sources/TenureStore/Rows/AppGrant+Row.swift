package import TenureCore

extension AppGrant {
    /// The columns that ``read(_:)`` and ``storedValues`` go by, in their order.
    package static let columns: StaticString = "tenant, account, item, term_start, term_end, granted_at, ended_at"
    /// What becomes of a row that is there already.
    package static let onConflict: StaticString = """
        ON CONFLICT (tenant, account, item) DO UPDATE SET term_start = excluded.term_start,
            term_end = excluded.term_end, granted_at = excluded.granted_at, ended_at = excluded.ended_at
        """

    package static func read(_ row: some StoredRow) throws(StoreError) -> AppGrant {
        AppGrant(
            account: try row.account(0, 1), item: try row.item(2), term: try row.term(3, 4), grantedAt: row.moment(5),
            endedAt: row.optionalMoment(6))
    }

    package var storedValues: [StoredValue] {
        [
            .tenant(account.tenant), .account(account.account), .item(item), .moment(term.start), .moment(term.end),
            .moment(grantedAt), .moment(endedAt),
        ]
    }
}
