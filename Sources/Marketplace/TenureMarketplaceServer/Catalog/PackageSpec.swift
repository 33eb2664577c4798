package import TenureCore
package import TenureMarketplace

/// A version of an app as described by its package.
package struct PackageSpec: Sendable, Hashable {
    package let tenant: TenantID
    package let item: AppleItemID
    /// The version, without its keyed assets, which are read from the store.
    package let version: AppVersion
    /// The app's bundle id from the manifest; `nil` if it has none.
    package let bundleID: String?
    /// The variants, in the manifest's order.
    package let variants: [AssetID]
    /// The deltas, in the manifest's order.
    package let deltas: [AssetID]
    /// The key blobs that came with the package.
    package let keyBlobs: [AssetID: [UInt8]]

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

    /// All assets of the version: variants, then deltas.
    package var assets: [AssetRef] {
        (variants + deltas).map { AssetRef(item: item, version: version.id, asset: $0) }
    }
}

extension PackageSpec {
    /// A package in a catalog file that includes its asset files, so that the server can host it.
    package struct Folder: Sendable, Hashable {
        /// The package's folder as written in the file: an absolute path, or relative to the file.
        package let path: String
        /// The package's position in the file, as a JSON pointer.
        package let pointer: String
        package let tenant: TenantID
    }
}
