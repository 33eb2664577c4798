import TenureAccounts
import TenureContent
public import TenureCore
import TenureLicensing
import TenureMarketplace
import TenurePackages
public import TenureServerKit
public import TenureStore

/// The rooms of the server, from which everything else is gathered.
package enum Rooms {
    /// The features, in the order in which they are opened.
    package static let all: [Room] = [.licensing, .marketplace, .accounts, .packages, .content]

    /// Reads the catalog of all rooms.
    package static let catalog = catalog(of: all)

    /// Reads the catalog of some rooms, and the keys that they sign with.
    package static func catalog(of rooms: [Room]) -> CatalogReading {
        CatalogReading([.leaseKeys] + rooms.compactMap(\.catalog))
    }

    /// What all rooms take from a catalog file.
    package static let listings = all.compactMap(\.listing)
}

extension StoreSchema {
    /// What the server keeps: tables that are nobody's alone, and each room's between those that it builds on and those
    /// that tell of all.
    public static let tenure = StoreSchema(
        [TenantRow.kept(), CatalogVersion.kept(), TenantVersion.kept(), SettingRecord.kept()]
            + Rooms.all.flatMap(\.tables)
            + [
                TokenRecord.kept(by: TokenRecord.byHash, TokenRecord.byAge),
                EventRecord.kept(by: EventRecord.ofTenant, EventRecord.ofLicense, EventRecord.ofAccount),
                RememberedAnswer.kept(by: RememberedAnswer.byAge), LeaderTerm.kept(),
                Job.kept(by: Job.ofKind, Job.inState),
            ],
        migrations: [.jobs, .tenantVersions, .tenantLanguages]
            + Rooms.all.flatMap(\.migrations).sorted { $0.id < $1.id })
}

extension Store {
    /// Reads the whole catalog with its version.
    public func catalog() async throws(StoreError) -> Catalog { try await Rooms.catalog.catalog(in: self) }
}

extension CatalogCache {
    /// Reads the catalog of all rooms for the first time; throws what the store or a wrong master key makes fail.
    public convenience init(store: any Store, master: MasterKey) async throws(ServerError) {
        try await self.init(Rooms.catalog, store: store, master: master)
    }
}
