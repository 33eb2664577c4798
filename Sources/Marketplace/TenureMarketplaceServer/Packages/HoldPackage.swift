package import TenureCore
import TenureCrypto
package import TenureMarketplace
package import TenureServerKit
import TenureStore

/// The result of recording a package that this server hosts.
package enum HostedPackageOutcome: Sendable, Hashable {
    case recorded(Recorded)
    /// The tenant has no marketplace, or it doesn't list the app.
    case appUnknown
    /// The app has another bundle id, which is the associated value.
    case otherBundle(String)
    /// A later revision of the same version is already hosted.
    case outdated(revision: Int64)
    /// The app already has the maximum number of versions.
    case tooManyVersions(limit: Int)

    package struct Recorded: Sendable, Hashable {
        package let isHeld: Bool
        /// How many key blobs were generated for the simulated engine.
        package let createdCount: Int
        /// The assets without a key, for which no license can be written.
        package let keyless: [AssetID]
    }
}

extension FeatureContext {
    /// Records the version and the assets of a package that this server hosts.
    ///
    /// The first call, before the files are in place, saves an existing version with its assets' keys; a new version is
    /// only checked. The second call, once the files are in place, records that the package is hosted. Servers notice
    /// the change at their next request.
    ///
    /// - Parameter held: The hosted package, once its files are in place. If it is `nil`, a new version is only
    ///   checked.
    /// - Throws: ``ServerError`` if the store fails.
    package func recordHostedPackage(
        _ package: PackageSpec, revision: Int64, held: HeldPackage?
    ) async throws(ServerError) -> HostedPackageOutcome {
        let (tenant, item) = (package.tenant, package.item)
        var facts = MarketplaceFacts()
        let keys = try await store.marketplaceKeys()
        facts.withImportedKeys = Set(keys.filter { $0.origin == .imported }.map(\.tenant))
        try await facts.readAssets(of: package, from: store)
        facts.makeBlobs(for: package)
        let read = facts
        let plan = AppWithVersions.plan
        let change = Transaction(
            plan.bind(.init(tenant: tenant, item: item))
        ) { results -> TransactionResult<HostedPackageOutcome> in
            guard let app = results[plan.queries.app]?.app else { return TransactionResult(.appUnknown) }
            if let bundle = app.bundleID, let bundleID = package.bundleID, bundle != bundleID {
                return TransactionResult(.otherBundle(bundle))
            }
            let versions = results[plan.queries.versions]
            let existing = versions.first { $0.version.id == package.version.id }
            if let served = existing?.version.package, served.revision > revision {
                return TransactionResult(.outdated(revision: served.revision))
            }
            if existing == nil, versions.count >= CatalogPlan.versionLimit {
                return TransactionResult(.tooManyVersions(limit: CatalogPlan.versionLimit))
            }
            var row = VersionRow(tenant: tenant, item: item, version: package.version)
            row.version.isHeld = existing?.version.isHeld ?? !app.autoPublish
            row.version.package = existing?.version.package
            if let held {
                row.version.package = HeldPackage(revision: held.revision, id: held.id ?? existing?.version.package?.id)
            }
            let assets = PlannedAssets(package, read)
            let recorded = HostedPackageOutcome.Recorded(
                isHeld: row.version.isHeld, createdCount: assets.createdCount, keyless: assets.keyless)
            // A new version must not be offered before its files are in place.
            if held == nil, existing == nil { return TransactionResult(.recorded(recorded)) }
            var saves = (row.version == existing?.version ? [] : [RowWrite.put(row, over: existing)]) + assets.saves
            if app.bundleID == nil {
                // Install tokens contain the bundle id.
                var named = AppRow(tenant: tenant, app: app)
                named.app.bundleID = package.bundleID
                saves.append(.replace(AppRow(tenant: tenant, app: app), by: named))
            }
            return TransactionResult(
                .recorded(recorded), saves.isEmpty ? [] : saves + plan.queries.marks.raised(for: [tenant], in: results))
        }
        return try await store.perform(change)
    }
}
