package import TenureCore
package import TenureMarketplace
public import TenureStore

/// An app as stored, with its tenant but without its versions.
package struct AppRow: Sendable, Hashable {
    package let tenant: TenantID
    package var app: MarketplaceApp

    package init(tenant: TenantID, app: MarketplaceApp) {
        self.tenant = tenant
        self.app = app
    }
}

extension AppRow: Stored {
    /// The table of apps, without their versions.
    package static let table = Table<AppRow>(
        "apps", key: ["tenant", "item"],
        [
            Field("tenant") { $0.tenant }, Field("item") { $0.app.item }, Field("bundle_id") { $0.app.bundleID },
            Field("name") { $0.app.name }, Field("share_url") { $0.app.shareURL },
            Field("package_url") { $0.app.packageURL }, Field("is_withdrawn") { $0.app.isDelisted },
            Field("duration_days") { $0.app.rules.durationDays },
            Field("jitter_percent") { $0.app.rules.jitterPercent },
            Field("device_limit") { $0.app.rules.deviceLimit },
            Field("revoke_on_takedown") { $0.app.rules.revokeOnTakedown },
            Field("renew_after_expiry_days") { $0.app.rules.renewAfterExpiryDays },
            Field("renew_ahead_days") { $0.app.rules.renewAheadDays },
            Field("device_changes") { $0.app.rules.deviceChanges },
            Field("auto_publish") { $0.app.autoPublish },
        ],
        foreignKeys: [ForeignKey(to: MarketplaceRow.self)], changesAlone: true, part: "catalog"
    ) { row in
        var read = AppRow(
            tenant: try row.next(),
            app: MarketplaceApp(
                item: try row.next(), bundleID: try row.next(), name: try row.next(), shareURL: try row.next(),
                packageURL: try row.next(), isDelisted: try row.next(),
                rules: AppLicense.Rules(
                    durationDays: try row.next(), jitterPercent: try row.next(), deviceLimit: try row.next(),
                    revokeOnTakedown: try row.next(), renewAfterExpiryDays: try row.next(),
                    renewAheadDays: try row.next(), deviceChanges: try row.next())))
        read.app.autoPublish = try row.next()
        return read
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
}

/// A version of an app as stored.
///
/// The rows of the version's assets show which assets have a key.
package struct VersionRow: Sendable, Hashable {
    package let tenant: TenantID
    package let item: AppleItemID
    package var version: AppVersion

    package init(tenant: TenantID, item: AppleItemID, version: AppVersion) {
        self.tenant = tenant
        self.item = item
        self.version = version
    }
}

extension VersionRow: Stored {
    package static let table = Table<VersionRow>(
        "app_versions", key: ["tenant", "item", "version"],
        [
            Field("tenant") { $0.tenant }, Field("item") { $0.item }, Field("version") { $0.version.id },
            Field("short_version") { $0.version.shortVersion }, Field("bundle_version") { $0.version.bundleVersion },
            Field("lowest_ios") { $0.version.lowestSystems[.iOS] },
            Field("lowest_ipados") { $0.version.lowestSystems[.iPadOS] },
            Field("is_held") { $0.version.isHeld },
            Field("package_revision") { $0.version.package?.revision },
            Field("package_id") { $0.version.package?.id },
            Field("smallest_bytes") { $0.version.downloadBytes?.lowerBound },
            Field("largest_bytes") { $0.version.downloadBytes?.upperBound },
        ],
        foreignKeys: [ForeignKey(to: AppRow.self)], changesAlone: true, part: "catalog"
    ) { row in
        var read = VersionRow(
            tenant: try row.next(), item: try row.next(),
            version: AppVersion(
                id: try row.next(), shortVersion: try row.next(), bundleVersion: try row.next(),
                lowestSystems: .init(iOS: try row.next(), iPadOS: try row.next()), isHeld: try row.next(),
                package: HeldPackage(revision: try row.next(), id: try row.next())))
        let (least, most): (Int64?, Int64?) = (try row.next(), try row.next())
        if let least, let most, least <= most { read.version.downloadBytes = least...most }
        return read
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
    package static let ofApp = table.set("of_app", "tenant", "item")
}

extension SystemVersion: StorableAs {
    /// The version's numbers, separated by periods.
    package var simple: String { description }
    /// Parses numbers separated by periods; `nil` for any other text.
    package init?(simple: String) { self.init(simple) }
}

extension [ApplePlatform: SystemVersion] {
    fileprivate init(iOS: SystemVersion?, iPadOS: SystemVersion?) {
        self = [:]
        self[.iOS] = iOS
        self[.iPadOS] = iPadOS
    }
}

extension HeldPackage {
    /// Creates the value from its columns; returns `nil` without a revision, which means that this server doesn't host
    /// the package.
    fileprivate init?(revision: Int64?, id: String?) {
        guard let revision else { return nil }
        self.init(revision: revision, id: id)
    }
}
