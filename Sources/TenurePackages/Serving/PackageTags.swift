import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit

/// Makes the entity tags of packages' files from SHA-256 digests of what they hold. So a tag is strong, the same on every
/// server, and the same in a copy of the folder.
final class PackageTags: Sendable {
    /// What a manifest says of an asset.
    private struct Declared {
        let size: Int64
        let tag: String
    }

    /// About 5 MB of tags.
    private let hashed = FileValueCache<String>(limit: 16_384)
    /// By the assets' paths; it holds at most so many assets, which is about 15 MB.
    private let declared = FileValueCache<[String: Declared]>(limit: 50_000)

    /// The tag of a file, if it can be had without reading much: of a small file, or of an asset whose chunks' digests are
    /// in the manifest beside it. Nil for others: their bytes have to be hashed first.
    /// - Parameter package: The folder that the file was opened from, so that the manifest is of the same revision.
    func tag(
        of file: OpenFile, at path: String, isAsset: Bool, in package: Folder
    ) throws(ServerError) -> String? {
        if isAsset, let asset = try assets(in: package)[path], asset.size == file.size { return asset.tag }
        if let tag = hashed.value(of: file) { return tag }
        return file.size <= Self.small ? try hash(file) : nil
    }

    /// The tag of a file by its bytes, of which all are read now unless they were before. It blocks.
    func hash(_ file: OpenFile) throws(ServerError) -> String {
        if let tag = hashed.value(of: file) { return tag }
        let digest = RunningSHA256()
        for start in stride(from: 0, to: file.size, by: Int(Self.piece)) {
            let part = FilePart(file, start..<min(file.size, start + Self.piece))
            let bytes = part.read()
            guard bytes.count == part.range.count else {
                throw ServerError(
                    .packagesUnusable, "A file of a package could not be read to its end. Try again.", isTransient: true
                )
            }
            digest.update(bytes)
        }
        let tag = Self.tag(digest.digest())
        hashed.keep(tag, of: file)
        return tag
    }

    /// The assets of the manifest that can be tagged by it, by their paths; empty without a manifest that can be read.
    private func assets(in package: Folder) throws(ServerError) -> [String: Declared] {
        guard let file = try package.file("manifest.json"), file.size <= PackageManifest.byteLimit else { return [:] }
        if let known = declared.value(of: file) { return known }
        var assets: [String: Declared] = [:]
        if let manifest = try? PackageManifest(parsing: FilePart(file).read()) {
            for asset in manifest.assets {
                guard let chunks = asset.chunks else { continue }
                assets[asset.path] = Declared(size: asset.size, tag: Self.tag(chunks.wholeDigest))
            }
        }
        declared.keep(assets, of: file, weight: assets.count + 1)
        return assets
    }

    private static func tag(_ digest: [UInt8]) -> String { "\"\(Hex.encode(digest))\"" }

    /// Bytes of a file that is hashed at once: as long as any manifest may be.
    private static let small = Int64(PackageManifest.byteLimit)
    /// Bytes that are read and hashed at a time.
    private static let piece: Int64 = 1 << 20
}

extension PackageManifest.Chunks {
    /// Differs when any byte differs: the digest of the only chunk, or one over the digests of all chunks in their order.
    fileprivate var wholeDigest: [UInt8] {
        digests.count == 1 ? digests[0].bytes : SHA256.hash(digests.flatMap(\.bytes))
    }
}
