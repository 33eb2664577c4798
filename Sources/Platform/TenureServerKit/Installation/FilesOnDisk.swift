package import FoundationEssentials
import Glibc
import TenureCommandLine
import TenureFiles

/// Reads the files that a catalog names, relative to the catalog file.
package struct FilesOnDisk: NearbyFiles {
    /// The folder that relative paths are resolved against.
    package let base: URL

    /// Resolves paths against the catalog file's folder, or against the working directory if the file is `-` (standard
    /// input).
    package init(besideCatalog path: String) {
        base =
            path == "-"
            ? URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
            : URL(filePath: path).deletingLastPathComponent()
    }

    package func isFolder(_ path: String) throws(CatalogReader.FileError) -> Bool {
        let resolved = url(path).path
        let mode = CallersFiles.open { () -> mode_t? in
            var facts = stat()
            return stat(resolved, &facts) == 0 ? facts.st_mode : nil
        }
        guard let mode else {
            throw CatalogReader.FileError("cannot be read: \(DataFolder.reason(errno)) (path: \(resolved))")
        }
        return mode & S_IFMT == S_IFDIR
    }

    package func bytes(of path: String, in folder: String?, limit: Int) throws(CatalogReader.FileError) -> [UInt8]? {
        let file = (folder.map { url($0).appending(path: path) } ?? url(path)).path
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try CallersFile.bytes(of: file, limit: limit + 1)
        } catch {
            if error.rawValue == ENOENT { return nil }
            throw CatalogReader.FileError("cannot be read: \(file): \(error)")
        }
        guard bytes.count <= limit else {
            let most = limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
            throw CatalogReader.FileError("is too large: \(file) may have at most \(most)")
        }
        return bytes
    }

    /// Returns the path of a file that the catalog names, resolved against ``base``.
    package func path(of path: String) -> String { url(path).path }

    private func url(_ path: String) -> URL {
        path.hasPrefix("/") ? URL(filePath: path) : base.appending(path: path)
    }
}
