import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension CatalogPlan {
    /// The maximum number of versions of an app; `--prune` removes versions that no license depends on.
    static let versionLimit = 100

    /// Plans the changes that make a tenant's stored marketplace match the file.
    mutating func plan(
        _ marketplace: Marketplace, of tenant: TenantID, over existing: Marketplace?, _ facts: MarketplaceFacts,
        prune: Bool
    ) {
        let edits = existing.map { Marketplace.section.edits(from: $0, to: marketplace) }
        if edits == nil {
            add(
                PlannedChange(.create, "marketplace", tenant.text, "\(marketplace.name) at \(marketplace.domain)"),
                .insert(MarketplaceRow(tenant: tenant, marketplace: marketplace)))
        } else if let edits, !edits.isEmpty, let existing {
            note("marketplace", tenant.text, edits)
            var updated = marketplace
            updated.formerPaths = marketplace.formerPaths(after: existing, at: facts.now)
            for former in updated.formerPaths where !existing.formerPaths.contains(former) {
                add(
                    PlannedChange(
                        .note, "marketplace", tenant.text,
                        "\(former.path) still answers for \(Marketplace.FormerPath.days) days, until \(former.until), because "
                            + "devices may have a configuration that names it"))
            }
            save(
                .replace(
                    MarketplaceRow(tenant: tenant, marketplace: existing),
                    by: MarketplaceRow(tenant: tenant, marketplace: updated)))
        }
        let items = Set(marketplace.apps.keys).union(existing?.apps.keys.map(\.self) ?? [])
        for item in marketplace.overrides.keys.sorted()
        where !items.contains(item) && item != marketplace.appleItemID && existing?.overrides[item] == nil {
            add(
                PlannedChange(
                    .note, "marketplace", tenant.text,
                    "overrides names \(item), which is neither an app of this marketplace nor its own appleItemID: no "
                        + "device uses these endpoints"))
        }
        if marketplace.appleItemID == nil, existing == nil || existing?.appleItemID != nil {
            add(
                PlannedChange(
                    .note, "marketplace", tenant.text,
                    "it has no appleItemID, which install tokens need as their issuer: restore, updates and "
                        + "install-token respond with 503 marketplace_not_ready until you add it"))
        }
        for app in marketplace.apps.values.sorted(by: { $0.item < $1.item }) {
            plan(app, of: tenant, over: existing?.apps[app.item], facts, prune: prune)
            noteHost(of: app, in: marketplace, of: tenant, over: existing)
        }
    }

    /// Adds a note if an app's package is on a host that isn't one of the marketplace's hosts.
    ///
    /// The note isn't repeated if the stored catalog already has the same URL and lacks the host.
    private mutating func noteHost(
        of app: MarketplaceApp, in marketplace: Marketplace, of tenant: TenantID, over existing: Marketplace?
    ) {
        guard let url = app.packageURL else { return }
        let host = WebAddress.host(of: url)
        let isSaid = existing?.apps[app.item]?.packageURL == url && existing?.hosts.contains(host) == false
        guard !marketplace.hosts.contains(host), !isSaid else { return }
        add(
            PlannedChange(
                .note, "app", "\(tenant)/\(app.item)",
                "its packageURL is on \(host): iOS fetches https://\(host)/.well-known/marketplace-kit before it "
                    + "installs. Add \(host) to the marketplace's aliases and point that host to this server, or serve "
                    + "the packages at \(marketplace.domain)"))
    }

    /// Removes unused apps that the file doesn't name, and the marketplace if it isn't in the file and no app is in
    /// use.
    ///
    /// An app is in use if it has licenses or if this server hosts one of its packages.
    mutating func prune(
        _ existing: Marketplace, of tenant: TenantID, keeping remaining: Marketplace?, _ uses: CatalogUses,
        _ facts: MarketplaceFacts
    ) {
        var inUse = 0
        for item in existing.apps.keys.sorted() where remaining?.apps[item] == nil {
            let count = uses["app", "\(tenant)/\(item)"]
            if existing.apps[item]?.versions.values.contains(where: { $0.package != nil }) ?? false {
                inUse += 1
                add(PlannedChange(.keep, "app", "\(tenant)/\(item)", Self.isHere))
            } else if count > 0 {
                inUse += 1
                add(
                    PlannedChange(
                        .keep, "app", "\(tenant)/\(item)", count == 1 ? "it has 1 license" : "it has \(count) licenses")
                )
            } else {
                add(PlannedChange(.remove, "app", "\(tenant)/\(item)"))
                guard let app = existing.apps[item] else { continue }
                for version in app.versions.values.sorted(by: { $0.id < $1.id }) {
                    remove(version, of: item, tenant, facts)
                }
                save(.remove(AppRow(tenant: tenant, app: app)))
            }
        }
        if remaining == nil, inUse == 0 {
            add(
                PlannedChange(.remove, "marketplace", tenant.text),
                .remove(MarketplaceRow(tenant: tenant, marketplace: existing)))
        }
    }

    private mutating func plan(
        _ app: MarketplaceApp, of tenant: TenantID, over existing: MarketplaceApp?, _ facts: MarketplaceFacts,
        prune: Bool
    ) {
        let name = "\(tenant)/\(app.item)"
        var updated = app
        updated.bundleID = app.bundleID ?? existing?.bundleID
        let stays = existing.map { versions(of: $0, beside: app, named: name, tenant, facts, prune: prune) } ?? [:]
        updated.versions = stays.merging(app.versions) { stored, new in
            var new = new
            new.isHeld = stored.isHeld
            new.package = stored.package
            return new
        }
        if updated.versions.count > Self.versionLimit {
            conflict(
                "The app \(name) would have \(updated.versions.count) versions, but at most \(Self.versionLimit) are "
                    + "kept side by side. `tenure apply --prune` removes those that no license uses.")
        }
        let edits = existing.map { MarketplaceApp.section.edits(from: $0, to: updated) }
        if edits != [] { note("app", name, edits) }
        if edits.map({ edits in edits.contains { $0.member == "durationDays" } }) ?? true,
            let days = updated.rules.durationDays, days < Self.shortDuration
        {
            add(
                PlannedChange(
                    .note, "app", name,
                    "licenses last \(days == 1 ? "1 day" : "\(days) days"), and a device tries only about once to "
                        + "renew a license, "
                        + "so a device that is offline then can't start the app; 30 days is a good length"))
        }
        if let count = facts.endless[tenant]?[app.item], count > 0 {
            add(
                PlannedChange(
                    .note, "app", name,
                    "\(count == 1 ? "1 license has" : "\(count) licenses have") no end, and a device doesn't renew "
                        + "such a license on its own: the state endpoint lists \(count == 1 ? "it" : "them") as due"))
        }
        if edits != [] {
            save(.put(AppRow(tenant: tenant, app: updated), over: existing.map { AppRow(tenant: tenant, app: $0) }))
        }
        saveVersions(updated, of: tenant, over: existing, facts)
        guard let package = facts.packages[tenant]?[app.item] else { return }
        plan(package, over: existing?.versions[package.version.id], named: name, facts)
    }

    /// Why pruning keeps an app or a version: if it were removed, the files of its package would stay on disk.
    private static let isHere = "its package is stored here; to remove it, use `tenure marketplace remove`"

    /// Licenses that last fewer days than this get a note (Apple's documentation).
    private static let shortDuration = 7

    /// Returns the stored versions to keep: all of them unless `prune` is set and the file names a version.
    ///
    /// Pruning keeps the versions that the file names, whose package this server hosts, or that a license depends on.
    private mutating func versions(
        of existing: MarketplaceApp, beside app: MarketplaceApp, named name: String, _ tenant: TenantID,
        _ facts: MarketplaceFacts, prune: Bool
    ) -> [AppleVersionID: AppVersion] {
        guard prune, !app.versions.isEmpty else { return existing.versions }
        var stays = existing.versions
        for id in existing.versions.keys.sorted() where app.versions[id] == nil {
            if existing.versions[id]?.package != nil {
                add(PlannedChange(.keep, "version", "\(name)/\(id)", Self.isHere))
            } else if facts.versionsInUse[tenant]?[app.item]?.contains(id) ?? false {
                add(PlannedChange(.keep, "version", "\(name)/\(id)", "licenses use it"))
            } else {
                add(PlannedChange(.remove, "version", "\(name)/\(id)"))
                stays[id] = nil
            }
        }
        return stays
    }

    /// Saves new and changed versions, and removes stored versions that aren't listed any more.
    private mutating func saveVersions(
        _ updated: MarketplaceApp, of tenant: TenantID, over existing: MarketplaceApp?, _ facts: MarketplaceFacts
    ) {
        let stored = (existing?.versions ?? [:]).values.sorted { $0.id < $1.id }
        for version in stored where updated.versions[version.id] == nil {
            remove(version, of: updated.item, tenant, facts)
        }
        for version in updated.versions.values.sorted(by: { $0.id < $1.id }) {
            let former = existing?.versions[version.id]
            if let former, version.edits(from: former).isEmpty { continue }
            save(
                .put(
                    VersionRow(tenant: tenant, item: updated.item, version: version),
                    over: former.map { VersionRow(tenant: tenant, item: updated.item, version: $0) }))
        }
    }

    /// Removes a version with its assets.
    private mutating func remove(
        _ version: AppVersion, of item: AppleItemID, _ tenant: TenantID, _ facts: MarketplaceFacts
    ) {
        for asset in facts.removable[tenant]?[item]?[version.id] ?? [] { save(.remove(asset)) }
        save(.remove(VersionRow(tenant: tenant, item: item, version: version)))
    }
}
