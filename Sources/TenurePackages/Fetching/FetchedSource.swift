import Synchronization
import TenureServerKit

/// A package that was fetched and checked file by file: its assets take their place without being copied.
struct FetchedSource: PackageSource {
    let entries: [SourceEntry]
    let isInPlace = true
    private let inner: FolderSource
    private let root: Folder

    /// Looks at a folder; nil where there is none. Throws ``ServerError``.
    init?(_ path: String) throws(ServerError) {
        guard let root = try Folder.open(path), let inner = try FolderSource(path) else { return nil }
        (self.root, self.inner) = (root, inner)
        entries = inner.entries
    }

    func open(_ entry: SourceEntry) throws(ServerError) -> any PackageReader { try inner.open(entry) }

    func give(_ entry: SourceEntry, to folder: Folder, changedAt seconds: Int64) throws(ServerError) -> Bool {
        let parts = entry.path.split(separator: "/").map(String.init)
        guard parts.count == 2, let own = try root.folder(parts[0]), try own.link(parts[1], in: folder) else {
            return false
        }
        try folder.date(parts[1], seconds)
        return true
    }
}

/// Bytes that come piece by piece, for what is small.
final class GatheredBytes: Sendable {
    private let gathered = Mutex<[UInt8]>([])

    var bytes: [UInt8] { gathered.withLock { $0 } }

    func add(_ bytes: [UInt8]) -> Bool {
        gathered.withLock { $0 += bytes }
        return true
    }
}
