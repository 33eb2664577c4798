import TenureMarketplace
package import TenureServerKit

/// Checks a folder as an assembled package, without changing anything.
package enum AssembledPackage {
    /// Returns the faults in the layout and in the bytes of the assets; `nil` if the path isn't a folder.
    ///
    /// The result includes the manifest's bytes, for the caller to check. Only the size of an asset without digests is
    /// checked. Throws ``ServerError`` if a file can't be read.
    package static func faults(
        in folder: String, report: (_ bytes: Int64, _ total: Int64) -> Void
    ) throws(ServerError) -> (manifest: [UInt8]?, faults: [PackageFault])? {
        guard let source = try FolderSource(folder) else { return nil }
        guard let bytes = try source.bytes(of: "manifest.json", limit: PackageManifest.byteLimit) else {
            return (nil, [PackageFault(kind: .manifest, path: "manifest.json", what: "is missing")])
        }
        guard let manifest = try? PackageManifest(parsing: bytes) else { return (bytes, []) }
        var faults = PackageLayout.faults(of: source.entries, against: manifest)
        let odd = Set(faults.map(\.path))
        let total = manifest.assets.reduce(0) { $0 + $1.size }
        var done: Int64 = 0
        for asset in manifest.assets where !odd.contains(asset.path) {
            guard let entry = source.entries.first(where: { $0.path == asset.path }) else { continue }
            var (reader, check) = (try source.open(entry), ChunkCheck(asset.chunks))
            var wrong: Int?
            while wrong == nil {
                let more = try reader.next()
                if more.isEmpty { break }
                wrong = check.take(more)
                done += Int64(more.count)
                report(done, total)
            }
            if let chunk = wrong ?? check.end() {
                faults.append(
                    PackageFault(kind: .chunk, path: asset.path, what: "doesn't match its digest in chunk \(chunk)"))
            }
        }
        return (bytes, faults)
    }
}
