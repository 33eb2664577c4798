package import TenureCore
package import TenureFormats

/// A version of an app as its package tells it: what is stored of the package.
package struct ListedPackage: Sendable, Hashable {
    /// Whose marketplace.
    package let tenant: TenantID
    /// Which app.
    package let item: AppleItemID
    /// The version, without the names of keyed assets: those are the store's to tell.
    package let version: AppVersion
    /// The app's bundle, as the manifest tells it.
    package let bundleID: String?
    /// The variants, in the manifest's order.
    package let variants: [AssetID]
    /// The deltas, in the manifest's order.
    package let deltas: [AssetID]
    /// The key blobs that came with it.
    package let keyBlobs: [AssetID: [UInt8]]

    /// What a manifest tells.
    package init(_ manifest: PackageManifest, of tenant: TenantID, keyBlobs: [AssetID: [UInt8]]) {
        self.tenant = tenant
        item = manifest.item
        bundleID = manifest.bundleID
        version = AppVersion(
            id: manifest.version, shortVersion: manifest.shortVersion, bundleVersion: manifest.bundleVersion,
            lowestSystems: manifest.lowestSystems, downloadBytes: manifest.downloadBytes)
        variants = manifest.variants.map(\.id)
        deltas = manifest.deltas.map(\.id)
        self.keyBlobs = keyBlobs
    }

    /// The names of all assets.
    package var assets: [AssetRef] {
        (variants + deltas).map { AssetRef(item: item, version: version.id, asset: $0) }
    }
}

/// A package in a catalog file that is there with its assets, so that the server can hold it.
package struct ListedFolder: Sendable, Hashable {
    /// Its folder as the file names it, absolute or relative to the file.
    package let path: String
    /// Where the file names it, as a JSON pointer.
    package let place: String
    /// Whose marketplace.
    package let tenant: TenantID
}
