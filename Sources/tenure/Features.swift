import TenureContentServer
import TenureLicensingServer
import TenureMarketplaceServer
import TenurePackages
import TenureServerKit
import TenureStore

extension FeatureSet {
    /// The features of Tenure.
    static let tenure = FeatureSet([.licensing, .marketplace, .accounts, .packages, .content])
}

extension StoreSchema {
    /// The schema of the whole server.
    static let tenure = FeatureSet.tenure.schema
}
