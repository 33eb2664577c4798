import Foundation
import Glibc
import TenureServerKit

/// Reads the files that a catalog names, relative to the catalog file.
struct FilesOnDisk: NearbyFiles {
    /// The folder that relative paths begin at.
    let base: URL

    /// For a catalog file; one from standard input names files relative to the working directory.
    init(besideCatalog path: String) {
        base =
            path == "-"
            ? URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
            : URL(filePath: path).deletingLastPathComponent()
    }

    func isFolder(_ path: String) throws(NearbyFileError) -> Bool {
        let place = place(path)
        var facts = stat()
        guard stat(place.path, &facts) == 0 else {
            throw NearbyFileError("cannot be read: \(DataFolder.reason(errno)); looked for it at \(place.path)")
        }
        return facts.st_mode & S_IFMT == S_IFDIR
    }

    func bytes(of path: String, in folder: String?, limit: Int) throws(NearbyFileError) -> [UInt8]? {
        let file = folder.map { place($0).appending(path: path) } ?? place(path)
        if access(file.path, F_OK) != 0, errno == ENOENT { return nil }
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            let data = try handle.read(upToCount: limit + 1) ?? Data()
            guard data.count <= limit else {
                throw NearbyFileError("is too large: \(file.path) may have \(limit >> 20) MiB")
            }
            return Array(data)
        } catch let error as NearbyFileError {
            throw error
        } catch {
            throw NearbyFileError("cannot be read: \(file.path): \(error.localizedDescription)")
        }
    }

    /// The path of what a catalog file names.
    func path(of path: String) -> String { place(path).path }

    private func place(_ path: String) -> URL {
        path.hasPrefix("/") ? URL(filePath: path) : base.appending(path: path)
    }
}
