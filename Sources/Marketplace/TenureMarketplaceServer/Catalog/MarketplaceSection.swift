import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension CatalogSection {
    /// The section of a catalog file for a tenant's marketplace, apps, packages and accounts.
    static let marketplace = CatalogSection(
        members: [
            CatalogField("marketplace", schema: { _ in Marketplace.section.schema }) { node, tenant, reader in
                tenant.marketplace = Marketplace(node, of: tenant, &reader)
            }
        ],
        uses: { query in
            let counts = query.view(AppCount.all)
            return { results in
                var uses = CatalogUses()
                for count in results[counts] { uses["app", "\(count.tenant)/\(count.item)"] = count.count }
                return uses
            }
        },
        prepare: { file, preparation throws(ServerError) in
            let facts = try await MarketplaceFacts.read(for: file, preparation)
            let notifications = try await SealedSettingsPlan<NotificationSecrets>(file, preparation)
            return CatalogPlanner(version: facts.version) { listed, plan in
                let id = listed.tenant.id
                let existing = listed.existing?.marketplace
                if let marketplace = listed.tenant.marketplace {
                    plan.plan(marketplace, of: id, over: existing, facts, prune: listed.prune)
                    plan.findSharedDomains(marketplace, in: listed)
                    plan.findSharedPaths(marketplace, in: listed, at: facts.now)
                }
                notifications.plan(listed, isSectionListed: listed.tenant.marketplace != nil, &plan)
                if listed.prune, let existing {
                    plan.prune(existing, of: id, keeping: listed.tenant.marketplace, listed.uses, facts)
                }
            }
        },
        entries: { $0.listed(AccountSpec.self) })
}

extension CatalogPlan {
    /// Reports domains that another tenant uses, because devices find a marketplace only by its host.
    fileprivate mutating func findSharedDomains(_ marketplace: Marketplace, in listed: TenantSpec) {
        let renamed = Set(listed.file.tenants.filter { $0.marketplace != nil }.map(\.id))
        for other in listed.stored.tenants.values.sorted(by: { $0.id < $1.id })
        where other.id != listed.tenant.id && !renamed.contains(other.id) {
            for host in marketplace.hosts where other.marketplace?.hosts.contains(host) ?? false {
                conflict("The domain \(host) is used by the marketplace of \(other.id) already.")
            }
        }
    }

    /// Reports override paths that another tenant uses or used until recently, because the server finds the tenant only
    /// by the path.
    fileprivate mutating func findSharedPaths(_ marketplace: Marketplace, in listed: TenantSpec, at now: Timestamp) {
        let paths = marketplace.ownPaths
        guard !paths.isEmpty else { return }
        let listedMarketplaces = Dictionary(
            listed.file.tenants.compactMap { tenant in tenant.marketplace.map { (tenant.id, $0) } },
            uniquingKeysWith: { first, _ in first })
        for other in listed.stored.tenants.values.sorted(by: { $0.id < $1.id }) where other.id != listed.tenant.id {
            guard let stored = other.marketplace else { continue }
            // Two marketplaces of one file are compared when the file is read.
            let current = listedMarketplaces[other.id] == nil ? stored.ownPaths : []
            for path in current.intersection(paths).sorted() {
                conflict("The path \(path) is used by an override of \(other.id) already.")
            }
            let former =
                listedMarketplaces[other.id]?.formerPaths(after: stored, at: now) ?? stored.formerPaths
            for path in former where path.until > now && paths.contains(path.path) && !current.contains(path.path) {
                conflict(
                    "The path \(path.path) still answers for \(other.id) until \(path.until), because devices may have a "
                        + "configuration that names it. Use another path, or apply again after that.")
            }
        }
    }
}

extension Marketplace {
    /// The paths on this server that overrides name.
    fileprivate var ownPaths: Set<String> {
        Set(paths.map(\.path))
    }
}
