package import TenureCore

extension Marketplace {
    /// The columns that ``read(_:)`` and ``storedValues(of:)`` go by, in their order.
    package static let columns: StaticString = """
        tenant, name, domain, apple_item_id, bundle_id, polling_interval_hours, access, resolution_page, support_email, \
        overrides
        """
    /// What becomes of a row that is there already.
    package static let onConflict: StaticString = """
        ON CONFLICT (tenant) DO UPDATE SET name = excluded.name, domain = excluded.domain,
            apple_item_id = excluded.apple_item_id, bundle_id = excluded.bundle_id,
            polling_interval_hours = excluded.polling_interval_hours, access = excluded.access,
            resolution_page = excluded.resolution_page, support_email = excluded.support_email,
            overrides = excluded.overrides
        """

    package static func read(_ row: some StoredRow) throws(StoreError) -> (tenant: TenantID, marketplace: Marketplace) {
        guard let overrides = overrides(code: row.text(9)) else { throw .unreadable("a marketplace's overrides") }
        let marketplace = Marketplace(
            name: row.text(1), domain: row.text(2), appleItemID: row.isNull(3) ? nil : try row.item(3),
            bundleID: row.optionalText(4), pollingIntervalHours: row.number(5),
            access: try row.code(6, "a marketplace's access"), resolutionPage: row.flag(7),
            supportEmail: row.optionalText(8), overrides: overrides)
        return (try row.tenant(0), marketplace)
    }

    package func storedValues(of tenant: TenantID) -> [StoredValue] {
        [
            .tenant(tenant), .text(name), .text(domain), appleItemID.map { .item($0) } ?? .null, .text(bundleID),
            .integer(pollingIntervalHours), .text(access.rawValue), .flag(resolutionPage), .text(supportEmail),
            .text(Self.code(overrides)),
        ]
    }

    /// The domain has another tenant's marketplace.
    package var domainTaken: StoreError {
        StoreError(
            .domainTaken,
            "Another tenant's marketplace has the domain \(domain); give each marketplace a domain of its own.")
    }

    /// The marketplace cannot go.
    package static func inUse(of tenant: TenantID) -> StoreError {
        StoreError(
            .inUse,
            "The marketplace of \(tenant) has app licenses, so it cannot be removed; mark its apps as withdrawn instead."
        )
    }
}
