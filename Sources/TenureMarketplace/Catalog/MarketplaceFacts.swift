import TenureCore
import TenureCrypto
import TenureServerKit
import TenureStore

/// What a plan needs to know of marketplaces beyond the catalog: true of one version of it.
struct MarketplaceFacts: Sendable {
    /// The catalog's version that it was read under: a plan under another one must be made again. Nil where nothing was
    /// read, because no marketplace is named.
    var version: Int64?
    /// What the file's packages say, by tenant and app.
    var packages: [TenantID: [AppleItemID: ListedPackage]] = [:]
    /// The assets of those packages that are stored.
    var stored: [TenantID: [AssetRef: AppAsset]] = [:]
    /// The tenants whose marketplaces have imported keys: for them no key blob is made.
    var withImportedKeys: Set<TenantID> = []
    /// The versions that a license in use rests on; read for pruning alone.
    var versionsInUse: [TenantID: [AppleItemID: Set<AppleVersionID>]] = [:]
    /// The assets of versions that the file does not name; read for pruning alone.
    var removable: [TenantID: [AppleItemID: [AppleVersionID: [AppAsset]]]] = [:]
    /// Key blobs made for assets that came without one, to be used where the plan may.
    var made: [TenantID: [AssetRef: [UInt8]]] = [:]

    /// The length of a made key blob, in bytes: that of Apple's sample (`spec/apple.md` §1).
    static let blobLength = 560
}

extension MarketplaceFacts {
    /// Reads the facts about what a file names. Throws ``ServerError``.
    /// Only pruning looks for the versions that licenses rest on: that reads all licenses of the apps.
    static func read(
        for file: CatalogFile, _ preparation: CatalogPreparation
    ) async throws(ServerError) -> MarketplaceFacts {
        let (store, prune, now) = (preparation.store, preparation.prune, preparation.now)
        var facts = MarketplaceFacts()
        guard prune || file.tenants.contains(where: { $0.marketplace != nil }) else { return facts }
        let catalog = preparation.catalog
        facts.version = catalog.version
        let keys = try await asking { () async throws(StoreError) in try await store.marketplaceKeys() }
        facts.withImportedKeys = Set(keys.filter { $0.origin == .imported }.map(\.tenant))
        for package in file.listed(ListedPackage.self) {
            facts.packages[package.tenant, default: [:]][package.item] = package
            if catalog.tenants[package.tenant]?.marketplace?.apps[package.item]?.versions[package.version.id] != nil {
                try await facts.readAssets(of: package, from: store)
            }
            facts.makeBlobs(for: package)
        }
        if prune {
            try await facts.readVersionsInUse(file, of: catalog, from: store, at: now)
            try await facts.readRemovable(file, of: catalog, from: store)
        }
        return facts
    }

    mutating func readAssets(of package: ListedPackage, from store: any Store) async throws(ServerError) {
        let refs = package.assets
        for start in stride(from: 0, to: refs.count, by: 1000) {
            let some = Array(refs[start..<min(start + 1000, refs.count)])
            let assets = try await asking { () async throws(StoreError) in
                try await store.appAssets(some, of: package.tenant)
            }
            for asset in assets { stored[package.tenant, default: [:]][asset.ref] = asset }
        }
    }

    /// What a pruned version takes with it has to be seen before it goes.
    private mutating func readRemovable(
        _ file: CatalogFile, of catalog: Catalog, from store: any Store
    ) async throws(ServerError) {
        for tenant in file.tenants {
            for app in catalog.tenants[tenant.id]?.marketplace?.apps.values.map(\.self) ?? [] {
                let named = tenant.marketplace?.apps[app.item]?.versions ?? [:]
                for version in app.versions.keys where named[version] == nil {
                    let assets = try await asking { () async throws(StoreError) in
                        try await store.all(
                            AppAsset.ofVersion, [.of(tenant.id), .of(app.item), .of(version)])
                    }
                    removable[tenant.id, default: [:]][app.item, default: [:]][version] = assets
                }
            }
        }
    }

    mutating func makeBlobs(for package: ListedPackage) {
        guard !withImportedKeys.contains(package.tenant) else { return }
        for ref in package.assets
        where package.keyBlobs[ref.asset] == nil && stored[package.tenant]?[ref]?.keyBlob == nil {
            made[package.tenant, default: [:]][ref] = SecureRandom.bytes(Self.blobLength)
        }
    }

    /// Licenses that can still be renewed need the key of the version they were issued for.
    private mutating func readVersionsInUse(
        _ file: CatalogFile, of catalog: Catalog, from store: any Store, at now: Timestamp
    ) async throws(ServerError) {
        for tenant in file.tenants {
            guard let known = catalog.tenants[tenant.id]?.marketplace, tenant.marketplace != nil else { continue }
            for app in known.apps.values where app.versions.count > 1 {
                let filter = AppLicenseFilter(tenant: tenant.id, item: app.item, now: now)
                var cursor: LicenseID?
                repeat {
                    let after = cursor
                    let page = try await asking { () async throws(StoreError) in
                        try await store.appLicenses(filter, after: after, limit: 1000)
                    }
                    for license in page where !license.recordedState.isFinal && !license.isReplaced {
                        versionsInUse[tenant.id, default: [:]][app.item, default: []].insert(license.asset.version)
                    }
                    cursor = page.count == 1000 ? page.last?.id : nil
                } while cursor != nil
            }
        }
    }
}
