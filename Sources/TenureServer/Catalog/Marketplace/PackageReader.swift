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

/// Finds the packages that a catalog file names; where they lie is decided at the edge.
public protocol PackageReader: Sendable {
    /// Reads what belongs to a package: a folder with a `manifest.json`, or a manifest alone.
    ///
    /// Throws ``PackageReadingError`` with what a person should do, when there is none or it cannot be read.
    /// - Parameter path: The text in the file, absolute or relative to the catalog file.
    func read(_ path: String) throws(PackageReadingError) -> PackageFiles
}

/// The bytes of a package that a catalog is made from.
public struct PackageFiles: Sendable, Hashable {
    /// Its `manifest.json`.
    public let manifest: [UInt8]
    /// Its `keyblobs.json`; nil when there is none.
    public let keyBlobs: [UInt8]?

    /// Puts it together.
    public init(manifest: [UInt8], keyBlobs: [UInt8]? = nil) {
        self.manifest = manifest
        self.keyBlobs = keyBlobs
    }
}

/// Why a package could not be read.
public struct PackageReadingError: Error, Sendable, Hashable {
    /// What is wrong and what to do, as the end of a sentence about the member that names the package.
    public let message: String

    /// States why.
    public init(_ message: String) { self.message = message }
}

/// Reads no packages: for catalogs that name none.
public struct NoPackages: PackageReader {
    /// Makes one.
    public init() {}

    /// Throws always.
    public func read(_ path: String) throws(PackageReadingError) -> PackageFiles {
        throw PackageReadingError("names a package, and none can be read here; apply the catalog from a file")
    }
}
