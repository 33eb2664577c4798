import Glibc
import TenureCommandLine
import TenureCore
import TenureServerKit

/// A package that is assembled in a folder.
struct FolderSource: PackageSource {
    let entries: [SourceEntry]
    private let root: Folder

    /// How many entries a folder may have: more than any package has, so that a wrong folder is noticed early.
    private static let most = 20_000

    /// Lists a folder; `nil` if the path isn't a folder.
    ///
    /// - Throws: ``ServerError`` if the folder can't be read.
    init?(_ path: String) throws(ServerError) {
        let found = try CallersFiles.open { () throws(ServerError) -> (Folder, [SourceEntry])? in
            var facts = stat()
            guard unsafe stat(path, &facts) == 0 else { throw .files("\(path) can't be inspected") }
            guard facts.st_mode & S_IFMT == S_IFDIR, let root = try Folder.open(path) else { return nil }
            return (root, try Self.entries(in: root, at: "", depth: 0))
        }
        guard let found else { return nil }
        (root, entries) = found
    }

    func open(_ entry: SourceEntry) throws(ServerError) -> any PackageReader {
        let parts = entry.path.split(atByte: "/").map(String.init)
        let file = try CallersFiles.open { () throws(ServerError) -> OpenFile? in
            var folder: Folder? = root
            for part in parts.dropLast() { folder = try folder?.folder(part) }
            guard let name = parts.last else { return nil }
            return try folder?.file(name)
        }
        guard let file else {
            throw ServerError(.packageRefused, "\(entry.path) was removed while it was being read. Try again.")
        }
        return FileReader(file: file)
    }

    private static func entries(in folder: Folder, at prefix: String, depth: Int) throws(ServerError) -> [SourceEntry] {
        var entries: [SourceEntry] = []
        for entry in try folder.entries(upTo: most) {
            let path = prefix + entry.name
            switch entry.kind {
            case .file(let size): entries.append(SourceEntry(path: path, kind: .file(size: size)))
            case .other: entries.append(SourceEntry(path: path, kind: .refused("is a link or not a regular file")))
            case .folder where depth == 0:
                guard let inner = try folder.folder(entry.name) else { continue }
                entries += try self.entries(in: inner, at: path + "/", depth: depth + 1)
            case .folder: entries.append(SourceEntry(path: path, kind: .refused("is a folder")))
            }
        }
        return entries
    }
}

private struct FileReader: PackageReader {
    let file: OpenFile
    var offset: Int64 = 0

    mutating func next() throws(ServerError) -> [UInt8] {
        let bytes = file.read(offset..<(offset + (1 << 20)))
        // If the file has been shortened since it was listed, its size shows that.
        if bytes.isEmpty, offset < file.size { throw .files("a file of the package can't be read") }
        offset += Int64(bytes.count)
        return bytes
    }
}
