import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The facts about marketplaces that a catalog plan needs in addition to one version of the catalog.
struct MarketplaceFacts: Sendable {
    /// The catalog version that the facts belong to; `nil` if nothing was read because the file names no marketplace.
    ///
    /// If the catalog changes, the plan must be computed again.
    var version: Int64?
    /// When the facts were read; the plan uses it for its dates. It is unset for a plan of a package alone.
    var now = Timestamp(seconds: 0)
    /// The file's packages, by tenant and app.
    var packages: [TenantID: [AppleItemID: PackageSpec]] = [:]
    /// The stored assets of ``packages``.
    var stored: [TenantID: [AssetRef: AppAsset]] = [:]
    /// The tenants whose marketplaces have imported keys, for which no key blob is generated.
    var withImportedKeys: Set<TenantID> = []
    /// The versions that renewable licenses depend on; read only for pruning.
    var versionsInUse: [TenantID: [AppleItemID: Set<AppleVersionID>]] = [:]
    /// The assets of versions that the file doesn't name; read only for pruning.
    var removable: [TenantID: [AppleItemID: [AppleVersionID: [AppAsset]]]] = [:]
    /// How many licenses without an end each app has, for apps whose licenses now get a duration; replaced, revoked and
    /// returned licenses aren't counted.
    var endless: [TenantID: [AppleItemID: Int]] = [:]
    /// Key blobs that were generated for assets without a key. The plan uses them where simulated keys are allowed.
    var keyBlobs: [TenantID: [AssetRef: [UInt8]]] = [:]

    /// The length of a generated key blob in bytes, the same as Apple's sample.
    static let blobLength = 560
}

extension MarketplaceFacts {
    /// Reads the facts about a file's marketplaces.
    ///
    /// The versions in use are read only for pruning, because that reads all licenses of the apps.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    static func read(
        for file: CatalogFile, _ preparation: CatalogPreparation
    ) async throws(ServerError) -> MarketplaceFacts {
        let (store, prune, now) = (preparation.store, preparation.prune, preparation.now)
        var facts = MarketplaceFacts()
        facts.now = now
        guard prune || file.tenants.contains(where: { $0.marketplace != nil }) else { return facts }
        let catalog = preparation.catalog
        facts.version = catalog.version
        let keys = try await store.marketplaceKeys()
        facts.withImportedKeys = Set(keys.filter { $0.origin == .imported }.map(\.tenant))
        for package in file.listed(PackageSpec.self) {
            facts.packages[package.tenant, default: [:]][package.item] = package
            if catalog.tenants[package.tenant]?.marketplace?.apps[package.item]?.versions[package.version.id] != nil {
                try await facts.readAssets(of: package, from: store)
            }
            facts.makeBlobs(for: package)
        }
        try await facts.countEndless(file, of: catalog, from: store)
        if prune {
            try await facts.readVersionsInUse(file, of: catalog, from: store)
            try await facts.readRemovable(file, of: catalog, from: store)
        }
        return facts
    }

    mutating func readAssets(of package: PackageSpec, from store: ServerStore) async throws(ServerError) {
        let refs = package.assets
        for start in stride(from: 0, to: refs.count, by: 1000) {
            let some = Array(refs[start..<min(start + 1000, refs.count)])
            let assets = try await store.appAssets(some, of: package.tenant)
            for asset in assets { stored[package.tenant, default: [:]][asset.ref] = asset }
        }
    }

    /// Reads the assets of versions that pruning may remove, because the plan removes a version together with its
    /// assets.
    private mutating func readRemovable(
        _ file: CatalogFile, of catalog: Catalog, from store: ServerStore
    ) async throws(ServerError) {
        for tenant in file.tenants {
            for app in catalog.tenants[tenant.id]?.marketplace?.apps.values.map(\.self) ?? [] {
                let named = tenant.marketplace?.apps[app.item]?.versions ?? [:]
                for version in app.versions.keys where named[version] == nil {
                    let assets = try await store.all(
                        AppAsset.ofVersion, [.of(tenant.id), .of(app.item), .of(version)])
                    removable[tenant.id, default: [:]][app.item, default: [:]][version] = assets
                }
            }
        }
    }

    /// Counts the licenses that get an end with their next renewal, because their app gets a duration.
    private mutating func countEndless(
        _ file: CatalogFile, of catalog: Catalog, from store: ServerStore
    ) async throws(ServerError) {
        for tenant in file.tenants {
            guard let existing = catalog.tenants[tenant.id]?.marketplace, let marketplace = tenant.marketplace else {
                continue
            }
            for app in marketplace.apps.values where app.rules.durationDays != nil {
                guard let stored = existing.apps[app.item], stored.rules.durationDays == nil else { continue }
                var count = 0
                try await store.eachPage(
                    of: AppLicense.ofApp, [.of(tenant.id), .of(app.item)],
                    where: [[Comparison("term_end", .isNull), .equals("is_replaced", false)]]
                ) { page in count += page.count { !$0.recordedState.isFinal } }
                endless[tenant.id, default: [:]][app.item] = count
            }
        }
    }

    mutating func makeBlobs(for package: PackageSpec) {
        guard !withImportedKeys.contains(package.tenant) else { return }
        for ref in package.assets
        where package.keyBlobs[ref.asset] == nil && stored[package.tenant]?[ref]?.keyBlob == nil {
            keyBlobs[package.tenant, default: [:]][ref] = SecureRandom.bytes(Self.blobLength)
        }
    }

    /// Reads the versions in use: a renewal needs the key of the version that the license was issued for.
    private mutating func readVersionsInUse(
        _ file: CatalogFile, of catalog: Catalog, from store: ServerStore
    ) async throws(ServerError) {
        for tenant in file.tenants {
            guard let existing = catalog.tenants[tenant.id]?.marketplace, tenant.marketplace != nil else { continue }
            for app in existing.apps.values where app.versions.count > 1 {
                var versions: Set<AppleVersionID> = []
                try await store.eachPage(
                    of: AppLicense.ofApp, [.of(tenant.id), .of(app.item)], where: [[.equals("is_replaced", false)]]
                ) { page in versions.formUnion(page.filter { !$0.recordedState.isFinal }.map(\.asset.version)) }
                if !versions.isEmpty { versionsInUse[tenant.id, default: [:]][app.item] = versions }
            }
        }
    }
}
