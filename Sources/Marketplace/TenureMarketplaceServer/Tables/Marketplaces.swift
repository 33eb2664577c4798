package import TenureCore
package import TenureMarketplace
import TenureServerKit
public import TenureStore

extension Marketplace.Access: StorableCode {}

/// A marketplace as stored, with its tenant but without its apps.
package struct MarketplaceRow: Sendable, Hashable {
    package let tenant: TenantID
    package var marketplace: Marketplace

    package init(tenant: TenantID, marketplace: Marketplace) {
        self.tenant = tenant
        self.marketplace = marketplace
    }
}

extension MarketplaceRow: Stored {
    /// The table of marketplaces, at most one for each tenant.
    package static let table = Table<MarketplaceRow>(
        "marketplaces", key: ["tenant"],
        [
            Field("tenant") { $0.tenant }, Field("name") { $0.marketplace.name },
            Field("domain") { $0.marketplace.domain }, Field("apple_item_id") { $0.marketplace.appleItemID },
            Field("bundle_id") { $0.marketplace.bundleID },
            Field("polling_interval_hours") { $0.marketplace.pollingIntervalHours },
            Field("access") { $0.marketplace.access }, Field("resolution_page") { $0.marketplace.resolutionPage },
            Field("support_email") { $0.marketplace.supportEmail },
            Field("overrides") { Marketplace.code($0.marketplace.overrides) },
            Field("package_access") { $0.marketplace.packageAccess },
            Field("sign_in_url") { $0.marketplace.signInURL },
            Field("redirect_uris") { $0.marketplace.redirectURIs.joined(separator: "\n") },
            Field("aliases") { $0.marketplace.aliases.joined(separator: "\n") },
            Field("has_external_signature") { $0.marketplace.hasExternalSignature },
            Field("former_paths") { Marketplace.FormerPath.code($0.marketplace.formerPaths) },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], uniques: [Unique("domain", "domain", meaning: "domain_taken")],
        changesAlone: true, part: "catalog"
    ) { row in
        var read = MarketplaceRow(
            tenant: try row.next(),
            marketplace: Marketplace(
                name: try row.next(), domain: try row.next(), appleItemID: try row.next(), bundleID: try row.next(),
                pollingIntervalHours: try row.next(), access: try row.next(), resolutionPage: try row.next(),
                supportEmail: try row.next(), overrides: try overrides(row.next())))
        read.marketplace.packageAccess = try row.next()
        read.marketplace.signInURL = try row.next()
        let places: String = try row.next()
        read.marketplace.redirectURIs = places.split(atByte: "\n").map(String.init)
        let aliases: String = try row.next()
        read.marketplace.aliases = aliases.split(atByte: "\n").map(String.init)
        read.marketplace.hasExternalSignature = try row.next()
        let former: String = try row.next()
        read.marketplace.formerPaths = try formerPaths(former)
        return read
    }

    /// Finds a marketplace by its domain.
    package static let byDomain = table.unique("domain")

    private static func formerPaths(_ code: String) throws(StoreError) -> [Marketplace.FormerPath] {
        guard let paths = Marketplace.FormerPath.paths(code: code) else {
            throw .unreadable("a marketplace's former paths")
        }
        return paths
    }

    private static func overrides(_ code: String) throws(StoreError) -> [AppleItemID: [String: String]] {
        guard let overrides = Marketplace.overrides(code: code) else {
            throw .unreadable("a marketplace's overrides")
        }
        return overrides
    }
}
