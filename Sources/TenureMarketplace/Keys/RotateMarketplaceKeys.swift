public import TenureCore
import TenureEngines
public import TenureServerKit
import TenureStore

/// Gives a simulated marketplace new encryption and signing keys; real ones are rotated by importing what Apple gave out.
public struct RotateMarketplaceKeys: Sendable {
    let catalog: CatalogCache
    let master: MasterKey
    let clock: any WallClock

    /// Rotates under a catalog, sealing with a master key.
    public init(catalog: CatalogCache, master: MasterKey, clock: any WallClock) {
        self.catalog = catalog
        self.master = master
        self.clock = clock
    }

    /// What became of a rotation.
    public enum Outcome: Sendable {
        /// The new certificates are served now, and named from this moment on.
        case rotated(encryption: String, signing: String, namedFrom: Timestamp)
        /// The assets were imported: new ones come from Apple.
        case imported
        /// The tenant has no marketplace, or one without assets.
        case noAssets
    }

    /// Makes the new pair. The configuration goes on naming the old one for as long as a device may keep it; then both
    /// change together: what the configuration names, licenses are signed with. Throws ``ServerError``.
    public func callAsFunction(_ tenant: TenantID, by actor: Actor) async throws(ServerError) -> Outcome {
        let now = clock.now()
        let namedFrom = now.adding(seconds: MarketplaceKeys.cacheSeconds)
        let assets = try SigningAssets.simulated(at: now)
        let records = try MarketplaceKeyRecord.records(
            of: assets, for: tenant, under: master, at: now, namedFrom: namedFrom
        ).filter { $0.purpose == .encryption || $0.purpose == .signing }
        try await catalog.refresh()
        return try await catalog.perform(KeyChange.asked(tenant)) { seen, marks, snapshot in
            guard let keys = snapshot.marketplaceKeys[tenant] else { return Saving(.noAssets) }
            if keys.isImported { return Saving(.imported) }
            return Saving(
                .rotated(encryption: assets.encryptionKey.id, signing: assets.signingKey.id, namedFrom: namedFrom),
                KeyChange.adding(records, seen, marks, by: actor, at: now))
        }
    }
}
