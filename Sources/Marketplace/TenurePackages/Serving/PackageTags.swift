import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace
import TenureServerKit

/// Creates the strong entity tags of package files from their SHA-256 digests.
///
/// Therefore, a file has the same tag on every server and in a copy of the folder.
final class PackageTags: Sendable {
    /// An asset's size and tag according to the manifest.
    private struct Declared {
        let size: Int64
        let tag: String
    }

    /// The tags of hashed files, about 5 MB at most.
    private let hashed = FileValueCache<String>(limit: 16_384)
    /// The tags from manifests, by asset path.
    ///
    /// The limit counts assets; it allows about 15 MB.
    private let declared = FileValueCache<[String: Declared]>(limit: 50_000)

    /// Returns the tag of a small file, or of an asset whose chunk digests are in the manifest.
    ///
    /// The result is `nil` for other files, whose bytes must be hashed first.
    ///
    /// - Parameter package: The folder that the file was opened from, so that the manifest has the same revision.
    func tag(
        of file: OpenFile, at path: String, isAsset: Bool, in package: Folder
    ) throws(ServerError) -> String? {
        if isAsset, let asset = try assets(in: package)[path], asset.size == file.size { return asset.tag }
        if let tag = hashed.value(of: file) { return tag }
        return file.size <= Self.small ? try hash(file) : nil
    }

    /// Hashes a file to get its tag, unless the tag is cached.
    ///
    /// The call blocks while it reads all the bytes.
    func hash(_ file: OpenFile) throws(ServerError) -> String {
        if let tag = hashed.value(of: file) { return tag }
        let digest = RunningSHA256()
        for start in stride(from: 0, to: file.size, by: Int(Self.piece)) {
            let range = start..<min(file.size, start + Self.piece)
            let bytes = file.read(range)
            guard bytes.count == range.count else {
                throw ServerError(
                    .packagesUnusable, "A package file couldn't be read completely. Try again.", isTransient: true
                )
            }
            digest.update(bytes)
        }
        let tag = Self.tag(digest.digest())
        hashed.keep(tag, of: file)
        return tag
    }

    /// Returns the assets whose digests are in the manifest, by path; empty if the manifest is missing or invalid.
    private func assets(in package: Folder) throws(ServerError) -> [String: Declared] {
        guard let file = try package.file("manifest.json"), file.size <= PackageManifest.byteLimit else { return [:] }
        if let declaredTag = declared.value(of: file) { return declaredTag }
        var assets: [String: Declared] = [:]
        if let manifest = try? PackageManifest(parsing: file.read()) {
            for asset in manifest.assets {
                guard let chunks = asset.chunks else { continue }
                assets[asset.path] = Declared(size: asset.size, tag: Self.tag(chunks.wholeDigest))
            }
        }
        declared.keep(assets, of: file, weight: assets.count + 1)
        return assets
    }

    private static func tag(_ digest: [UInt8]) -> String { "\"\(Hex.encode(digest))\"" }

    /// The largest file that is hashed during a request, in bytes: the size limit of a manifest.
    private static let small = Int64(PackageManifest.byteLimit)
    /// How many bytes are read and hashed at a time.
    private static let piece: Int64 = 1 << 20
}

extension PackageManifest.Chunks {
    /// A digest that changes if any byte of the asset changes.
    ///
    /// The digest is that of the only chunk, or the digest over all chunk digests in the order of the chunks.
    fileprivate var wholeDigest: [UInt8] {
        digests.count == 1 ? digests[0].bytes : SHA256.hash(digests.flatMap(\.bytes))
    }
}
