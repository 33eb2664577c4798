import TenureCore
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenurePackages
import TenureServerKit
import TenureStore

/// Reads an overview of an installation for its operator.
struct ReadStatus: Sendable {
    let store: any Store
    let clock: any WallClock

    /// The state of an installation.
    struct Status: Sendable {
        /// When it was read, by the server's clock.
        let at: Timestamp
        /// The catalog.
        let catalog: Catalog
        /// The number of stored records.
        let census: Census
        /// The origin of each marketplace's keys.
        let keys: [TenantID: KeyOrigin]
        /// How many app licenses are about to expire, for every tenant that has any.
        let risks: [RenewalRisk]
        /// Takedown notifications for packages that the server doesn't know, latest first.
        let unmatched: [ReadNotices.Line]
        /// Package imports that are running, waiting, held or failed.
        let imports: [ReadImports.Line]
    }

    /// Reads the overview, one part after the other.
    ///
    /// Changes nothing. Throws ``ServerError``.
    func callAsFunction() async throws(ServerError) -> Status {
        let now = clock.now()
        let store = store
        let catalog = try await asking { try await FeatureSet.tenure.catalog(of: store) }
        let census = try await asking { try await store.census() }
        let keys = try await asking { try await store.marketplaceKeys() }
        let risks = try await asking { try await store.renewalRisk(at: now) }
        let unmatched = try await ReadNotices(store: store, clock: clock).unmatched()
        let imports = try await ReadImports(store: store).unfinished()
        return Status(
            at: now, catalog: catalog, census: census, keys: catalog.keyOrigins(keys),
            risks: risks.sorted { $0.tenant < $1.tenant },
            unmatched: unmatched, imports: imports)
    }
}
