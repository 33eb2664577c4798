public import TenureCore

/// A version of an app as its package tells it: what is stored of the package.
public struct ListedPackage: Sendable, Hashable {
    /// Whose marketplace.
    public let tenant: TenantID
    /// Which app.
    public let item: AppleItemID
    /// The version, without the names of keyed assets: those are the store's to tell.
    public let version: AppVersion
    /// The variants, in the manifest's order.
    public let variants: [AssetID]
    /// The deltas, in the manifest's order.
    public let deltas: [AssetID]
    /// The key blobs that came with it.
    public let keyBlobs: [AssetID: [UInt8]]

    /// The names of all assets.
    public var assets: [AssetRef] {
        (variants + deltas).map { AssetRef(item: item, version: version.id, asset: $0) }
    }
}
