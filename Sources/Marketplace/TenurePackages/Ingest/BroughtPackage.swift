import TenureCore
import TenureFormats
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit

/// A package to be added, whose manifest, signature and layout have been read and checked.
///
/// The assets haven't been read yet. Apple's signature isn't verified, because its format is undocumented; devices
/// verify it.
struct BroughtPackage: Sendable {
    let source: any PackageSource
    let manifest: PackageManifest
    let manifestBytes: [UInt8]
    let signature: [UInt8]
    let keyBlobs: [AssetID: [UInt8]]

    /// Reads a package.
    ///
    /// - Parameter path: An assembled folder, or a zip of one.
    /// - Throws: ``ServerError`` that lists all faults of the package.
    init(at path: String) throws(ServerError) {
        let source: any PackageSource
        if let folder = try FolderSource(path) { source = folder } else { source = try ZipSource(path) }
        try self.init(source, named: path)
    }

    /// Reads a package from a source.
    ///
    /// - Parameter keyBlobs: The key blobs; `nil` to read them from the package.
    init(
        _ source: any PackageSource, named path: String, keyBlobs: [AssetID: [UInt8]]? = nil
    ) throws(ServerError) {
        self.source = source
        guard let bytes = try source.bytes(of: "manifest.json", limit: PackageManifest.byteLimit) else {
            throw ServerError(.packageRefused, "\(path) has no manifest.json at its top level. Nothing was changed.")
        }
        manifestBytes = bytes
        do throws(FormatError) {
            manifest = try PackageManifest(parsing: bytes)
        } catch {
            throw ServerError(
                .packageRefused, "manifest.json: \(error.message). Nothing was changed.",
                cause: error.cause.map { "\($0)" })
        }
        let faults = PackageLayout.faults(of: source.entries, against: manifest)
        guard faults.isEmpty else {
            let message = faults.prefix(20).map(\.description).joined(separator: "; ")
            let more = faults.count > 20 ? "; and \(faults.count - 20) more" : ""
            throw ServerError(.packageRefused, "\(path): \(message)\(more). Nothing was changed.")
        }
        signature = try source.bytes(of: "signature", limit: 8 << 20) ?? []
        if let blobs = keyBlobs {
            self.keyBlobs = blobs
            return
        }
        let blobs = try source.bytes(of: "keyblobs.json", limit: KeyBlobs.byteLimit)
        do throws(FormatError) {
            self.keyBlobs = try blobs.map { bytes throws(FormatError) in try KeyBlobs(parsing: bytes).byAsset } ?? [:]
        } catch {
            throw ServerError(
                .packageRefused, "keyblobs.json: \(error.message). Nothing was changed.",
                cause: error.cause.map { "\($0)" })
        }
    }

    /// The Apple item id of the app in the package.
    var item: AppleItemID { manifest.item }
    /// Apple's id of the version in the package.
    var version: AppleVersionID { manifest.version }
    /// The version for display, such as `1.4.2 (142)`.
    var title: String { "\(manifest.shortVersion) (\(manifest.bundleVersion))" }
    /// The total size of the package's assets, in bytes.
    var size: Int64 { manifest.assets.reduce(0) { $0 + $1.size } }
    /// The number of assets without digests, of which only the size can be checked.
    var unchecked: Int { manifest.assets.count { $0.chunks == nil } }

    /// The manifest's `distributionPackageRevision`; 0 if it's missing.
    var revision: Int64 { manifest.revision ?? 0 }

    func listed(of tenant: TenantID) -> PackageSpec { PackageSpec(manifest, of: tenant, keyBlobs: keyBlobs) }
}
