package import TenureCore

extension MarketplaceApp {
    /// The columns that ``read(_:)`` and ``storedValues(of:)`` go by, in their order.
    package static let columns: StaticString = """
        tenant, item, bundle_id, name, share_url, package_url, is_withdrawn, duration_days, jitter_percent, device_limit, \
        revoke_on_takedown, renew_after_expiry_days, renew_ahead_days
        """
    /// What becomes of a row that is there already.
    package static let onConflict: StaticString = """
        ON CONFLICT (tenant, item) DO UPDATE SET bundle_id = excluded.bundle_id, name = excluded.name,
            share_url = excluded.share_url, package_url = excluded.package_url, is_withdrawn = excluded.is_withdrawn,
            duration_days = excluded.duration_days, jitter_percent = excluded.jitter_percent,
            device_limit = excluded.device_limit, revoke_on_takedown = excluded.revoke_on_takedown,
            renew_after_expiry_days = excluded.renew_after_expiry_days, renew_ahead_days = excluded.renew_ahead_days
        """

    /// Reads an app without its versions.
    package static func read(_ row: some StoredRow) throws(StoreError) -> (tenant: TenantID, app: MarketplaceApp) {
        let rules = AppLicenseRules(
            durationDays: row.optionalNumber(7), jitterPercent: row.number(8), deviceLimit: row.optionalNumber(9),
            revokeOnTakedown: row.flag(10), renewAfterExpiryDays: row.optionalNumber(11),
            renewAheadDays: row.number(12))
        let app = MarketplaceApp(
            item: try row.item(1), bundleID: row.optionalText(2), name: row.optionalText(3),
            shareURL: row.optionalText(4), packageURL: row.optionalText(5), isWithdrawn: row.flag(6), rules: rules)
        return (try row.tenant(0), app)
    }

    package func storedValues(of tenant: TenantID) -> [StoredValue] {
        [
            .tenant(tenant), .item(item), .text(bundleID), .text(name), .text(shareURL), .text(packageURL),
            .flag(isWithdrawn), .integer(rules.durationDays), .integer(rules.jitterPercent),
            .integer(rules.deviceLimit), .flag(rules.revokeOnTakedown), .integer(rules.renewAfterExpiryDays),
            .integer(rules.renewAheadDays),
        ]
    }

    /// The app cannot go.
    package static func inUse(_ item: AppleItemID, of tenant: TenantID) -> StoreError {
        StoreError(
            .inUse,
            "The app \(item) of \(tenant) has app licenses, so it cannot be removed; mark it as withdrawn instead.")
    }
}

extension AppVersion {
    /// The columns that ``read(_:)`` and ``storedValues(of:tenant:)`` go by, in their order.
    package static let columns: StaticString = "tenant, item, version, short_version, bundle_version"
    /// What becomes of a row that is there already.
    package static let onConflict: StaticString = """
        ON CONFLICT (tenant, item, version) DO UPDATE SET short_version = excluded.short_version,
            bundle_version = excluded.bundle_version
        """

    /// Reads a version without its keyed assets: those are the assets with a key blob, see ``AppAsset/readName(_:)``.
    package static func read(
        _ row: some StoredRow
    ) throws(StoreError) -> (tenant: TenantID, item: AppleItemID, version: AppVersion) {
        let version = AppVersion(id: try row.version(2), shortVersion: row.text(3), bundleVersion: row.text(4))
        return (try row.tenant(0), try row.item(1), version)
    }

    package func storedValues(of item: AppleItemID, tenant: TenantID) -> [StoredValue] {
        [.tenant(tenant), .item(item), .version(id), .text(shortVersion), .text(bundleVersion)]
    }
}
