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
    /// All features of a Tenure server.
    package static let tenure = FeatureSet([.licensing, .marketplace, .accounts, .packages, .content, .selling])
}

extension StoreSchema {
    /// The schema of the whole server.
    package static let tenure = FeatureSet.tenure.schema
}

extension Store {
    /// Reads the whole catalog with its version.
    package func catalog() async throws(StoreError) -> Catalog { try await FeatureSet.tenure.catalog(of: self) }

    /// Checks the store's integrity, and rules that no constraint of the database covers. Returns the faults.
    package func faults() async throws(StoreError) -> [String] { try await FeatureSet.tenure.faults(in: self) }
}

extension CatalogCache {
    /// Creates a cache and reads the catalog of all features into it.
    package convenience init(store: any Store, master: MasterKey) async throws(ServerError) {
        try await self.init(FeatureSet.tenure.catalog, store: store, master: master)
    }
}
