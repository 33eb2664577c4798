import Foundation
import Glibc
import TenureFormats
import TenureServer

/// Reads the packages that a catalog names from folders and files, relative to the catalog file.
struct PackagesOnDisk: PackageReader {
    /// The folder that relative paths begin at.
    let base: URL

    /// For a catalog file; one from standard input names packages relative to the working directory.
    init(besideCatalog path: String) {
        base =
            path == "-"
            ? URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
            : URL(filePath: path).deletingLastPathComponent()
    }

    func read(_ path: String) throws(PackageReadingError) -> PackageFiles {
        let place = path.hasPrefix("/") ? URL(filePath: path) : base.appending(path: path)
        var facts = stat()
        guard stat(place.path, &facts) == 0 else {
            throw PackageReadingError(
                "cannot be read: \(DataFolder.reason(errno)); looked for a package at \(place.path)")
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            return PackageFiles(manifest: try bytes(of: place, limit: PackageManifest.byteLimit))
        }
        let manifest = try bytes(of: place.appending(path: "manifest.json"), limit: PackageManifest.byteLimit)
        let blobs = place.appending(path: "keyblobs.json")
        let hasBlobs = access(blobs.path, F_OK) == 0 || errno != ENOENT
        return PackageFiles(
            manifest: manifest, keyBlobs: hasBlobs ? try bytes(of: blobs, limit: KeyBlobs.byteLimit) : nil)
    }

    private func bytes(of file: URL, limit: Int) throws(PackageReadingError) -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            let data = try handle.read(upToCount: limit + 1) ?? Data()
            guard data.count <= limit else {
                throw PackageReadingError("is too large: \(file.path) may have \(limit >> 20) MiB")
            }
            return Array(data)
        } catch let error as PackageReadingError {
            throw error
        } catch {
            throw PackageReadingError("cannot be read: \(file.path): \(error.localizedDescription)")
        }
    }
}
