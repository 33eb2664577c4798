import TenureContentServer
package import TenureCore
import TenureLicensingServer
import TenureMarketplaceServer
import TenurePackages
import TenureSellingServer
package import TenureServerKit
package import TenureStore
import TenureThreads

// The whole server's features and schema, as the program composes them.

extension FeatureSet {
    /// The features of Tenure.
    package static let tenure = FeatureSet([.licensing, .marketplace, .accounts, .packages, .content, .selling])
}

extension StoreSchema {
    /// The schema of the whole server.
    package static let tenure = FeatureSet.tenure.schema
}

extension Store {
    /// Reads the whole catalog with its version.
    package func catalog() async throws(StoreError) -> Catalog { try await FeatureSet.tenure.catalog(of: self) }

    /// Checks the store's integrity and what constraints don't cover.
    package func faults() async throws(StoreError) -> [String] { try await FeatureSet.tenure.faults(in: self) }
}

extension CatalogCache {
    /// Reads the catalog of all features.
    package convenience init(store: any Store, master: MasterKey) async throws(ServerError) {
        try await self.init(FeatureSet.tenure.catalog, store: store, master: master)
    }
}
