package import TenureCore

extension AppLicense {
    /// The columns that ``read(_:)`` and ``storedValues`` go by, in their order.
    package static let columns: StaticString = """
        id, tenant, item, version, asset, account, device, request, issued_at, term_start, term_end, term_request, state, \
        stopped_at, failed_at, is_replaced
        """
    /// What becomes of a row that is there already: what a license was issued for never changes.
    package static let onConflict: StaticString = """
        ON CONFLICT (id) DO UPDATE SET term_start = excluded.term_start, term_end = excluded.term_end,
            term_request = excluded.term_request, state = excluded.state, stopped_at = excluded.stopped_at,
            failed_at = excluded.failed_at, is_replaced = excluded.is_replaced
        """

    package static func read(_ row: some StoredRow) throws(StoreError) -> AppLicense {
        AppLicense(
            id: try row.license(0), tenant: try row.tenant(1), asset: try row.asset(2, 3, 4),
            account: row.isNull(5) ? nil : try row.account(5), device: try row.digest(6), request: row.pattern(7),
            issuedAt: row.moment(8), term: try row.term(9, 10), termRequest: row.pattern(11),
            recordedState: try row.code(12, "an app license's state"), stoppedAt: row.optionalMoment(13),
            failedAt: row.optionalMoment(14), isReplaced: row.flag(15))
    }

    package var storedValues: [StoredValue] {
        [
            .integer(id.number), .tenant(tenant), .item(item), .version(asset.version), .text(asset.asset.text),
            .account(account), .digest(device), .pattern(request), .moment(issuedAt), .moment(term.start),
            .moment(term.end), .pattern(termRequest), .text(recordedState.rawValue), .moment(stoppedAt),
            .moment(failedAt), .flag(isReplaced),
        ]
    }
}

extension RenewalRisk {
    package static func read(_ row: some StoredRow) throws(StoreError) -> RenewalRisk {
        RenewalRisk(
            tenant: try row.tenant(0), day: Count(expiring: row.number(1), failed: row.number(2)),
            week: Count(expiring: row.number(3), failed: row.number(4)))
    }
}

extension AppleItemID {
    /// Reads how many licenses an app of a tenant has.
    package static func readCount(
        _ row: some StoredRow
    ) throws(StoreError) -> (tenant: TenantID, item: AppleItemID, count: Int) {
        (try row.tenant(0), try row.item(1), row.number(2))
    }
}
