import TenureContentServer
public import TenureCore
import TenureLicensingServer
import TenureMarketplaceServer
import TenurePackages
public import TenureServerKit
public import TenureStore

/// The features of the server, from which everything else is collected.
package enum Rooms {
    /// The features, in starting order.
    package static let all: [Room] = [.licensing, .marketplace, .accounts, .packages, .content]

    /// Reads the catalog of all features.
    package static let catalog = catalog(of: all)

    /// Reads the catalog of some features, and the lease-signing keys.
    package static func catalog(of rooms: [Room]) -> CatalogReading {
        CatalogReading([.leaseKeys] + rooms.compactMap(\.catalog))
    }

    /// The sections of a catalog file, for all features.
    package static let listings = all.compactMap(\.listing)
}

extension StoreSchema {
    /// The schema of the whole server.
    ///
    /// Shared tables that features build on come first, then the features' own, and then those that refer to all of
    /// them.
    public static let tenure = StoreSchema(
        [TenantRow.kept(), CatalogVersion.kept(), TenantVersion.kept(), SettingRecord.kept()]
            + Rooms.all.flatMap(\.tables)
            + [
                TokenRecord.kept(by: TokenRecord.byHash, TokenRecord.byAge),
                EventRecord.kept(by: EventRecord.ofTenant, EventRecord.ofLicense, EventRecord.ofAccount),
                RememberedAnswer.kept(by: RememberedAnswer.byAge), LeaderTerm.kept(),
                Job.kept(by: Job.ofKind, Job.inState),
            ],
        migrations: Rooms.all.flatMap(\.migrations))
}

extension Store {
    /// Reads the whole catalog with its version.
    public func catalog() async throws(StoreError) -> Catalog { try await Rooms.catalog.catalog(in: self) }
}

extension CatalogCache {
    /// Reads the catalog of all features.
    ///
    /// Throws if the store fails or the master key is wrong.
    public convenience init(store: any Store, master: MasterKey) async throws(ServerError) {
        try await self.init(Rooms.catalog, store: store, master: master)
    }
}
