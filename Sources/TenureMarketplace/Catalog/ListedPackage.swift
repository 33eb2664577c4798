package import TenureCore

/// A version of an app as its package tells it: what is stored of the package.
package struct ListedPackage: Sendable, Hashable {
    /// Whose marketplace.
    package let tenant: TenantID
    /// Which app.
    package let item: AppleItemID
    /// The version, without the names of keyed assets: those are the store's to tell.
    package let version: AppVersion
    /// The variants, in the manifest's order.
    package let variants: [AssetID]
    /// The deltas, in the manifest's order.
    package let deltas: [AssetID]
    /// The key blobs that came with it.
    package let keyBlobs: [AssetID: [UInt8]]

    /// The names of all assets.
    package var assets: [AssetRef] {
        (variants + deltas).map { AssetRef(item: item, version: version.id, asset: $0) }
    }
}
