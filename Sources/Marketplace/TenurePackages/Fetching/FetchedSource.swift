import Synchronization
import TenureCore
import TenureServerKit

/// A fetched package whose files were already checked one by one.
///
/// The assets are linked into the staging folder instead of being copied.
struct FetchedSource: PackageSource {
    let entries: [SourceEntry]
    let isInPlace = true
    private let inner: FolderSource
    private let root: Folder

    /// Lists an import's folder; `nil` if it doesn't exist.
    ///
    /// - Throws: ``ServerError`` if the disk fails.
    init?(_ path: String) throws(ServerError) {
        guard let root = try Folder.open(path), let inner = try FolderSource(path) else { return nil }
        (self.root, self.inner) = (root, inner)
        entries = inner.entries
    }

    func open(_ entry: SourceEntry) throws(ServerError) -> any PackageReader { try inner.open(entry) }

    func give(_ entry: SourceEntry, to folder: Folder, changedAt seconds: Int64) throws(ServerError) -> Bool {
        let parts = entry.path.split(atByte: "/").map(String.init)
        guard parts.count == 2, let own = try root.folder(parts[0]), try own.link(parts[1], in: folder) else {
            return false
        }
        try folder.date(parts[1], seconds)
        return true
    }
}

/// Collects the bytes of a small response body in memory.
final class GatheredBytes: Sendable {
    private let gathered = Mutex<[UInt8]>([])

    var bytes: [UInt8] { gathered.withLock { $0 } }

    func add(_ bytes: [UInt8]) -> Bool {
        gathered.withLock { $0 += bytes }
        return true
    }
}
