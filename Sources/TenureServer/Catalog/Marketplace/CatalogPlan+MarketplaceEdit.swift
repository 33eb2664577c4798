import TenureCore

extension CatalogPlan.Edit {
    /// What differs between two versions of a marketplace, its apps aside.
    static func between(_ old: Marketplace, _ new: Marketplace) -> [Self] {
        [
            Self("name", old.name, new.name), Self("domain", old.domain, new.domain),
            Self("appleItemID", optional(old.appleItemID), optional(new.appleItemID)),
            Self("bundleID", optional(old.bundleID), optional(new.bundleID)),
            Self("pollingIntervalHours", "\(old.pollingIntervalHours)", "\(new.pollingIntervalHours)"),
            Self("access", old.access.rawValue, new.access.rawValue),
            Self("resolutionPage", "\(old.resolutionPage)", "\(new.resolutionPage)"),
            Self("supportEmail", optional(old.supportEmail), optional(new.supportEmail)),
            Self("overrides", endpoints(old), endpoints(new)),
        ].filter(\.isChange)
    }

    /// What differs between two versions of an app, its packages aside.
    static func between(_ old: MarketplaceApp, _ new: MarketplaceApp) -> [Self] {
        [
            Self("bundleID", optional(old.bundleID), optional(new.bundleID)),
            Self("name", optional(old.name), optional(new.name)),
            Self("shareURL", optional(old.shareURL), optional(new.shareURL)),
            Self("packageURL", optional(old.packageURL), optional(new.packageURL)),
            Self("withdrawn", "\(old.isWithdrawn)", "\(new.isWithdrawn)"),
            Self("durationDays", optional(old.rules.durationDays), optional(new.rules.durationDays)),
            Self("jitterPercent", "\(old.rules.jitterPercent)", "\(new.rules.jitterPercent)"),
            Self("deviceLimit", optional(old.rules.deviceLimit), optional(new.rules.deviceLimit)),
            Self("revokeOnTakedown", "\(old.rules.revokeOnTakedown)", "\(new.rules.revokeOnTakedown)"),
            Self(
                "renewAfterExpiryDays", optional(old.rules.renewAfterExpiryDays),
                optional(new.rules.renewAfterExpiryDays)),
            Self("renewAheadDays", "\(old.rules.renewAheadDays)", "\(new.rules.renewAheadDays)"),
        ].filter(\.isChange)
    }

    /// What differs between two descriptions of one version.
    static func between(_ old: AppVersion, _ new: AppVersion) -> [Self] {
        [
            Self("shortVersion", old.shortVersion, new.shortVersion),
            Self("bundleVersion", old.bundleVersion, new.bundleVersion),
        ].filter(\.isChange)
    }

    private static func optional(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "none" }

    private static func endpoints(_ marketplace: Marketplace) -> String {
        let all = marketplace.overrides.sorted { $0.key < $1.key }.flatMap { item, endpoints in
            endpoints.sorted { $0.key < $1.key }.map { "\(item).\($0.key)=\($0.value)" }
        }
        return all.isEmpty ? "none" : "[" + all.joined(separator: " ") + "]"
    }
}
