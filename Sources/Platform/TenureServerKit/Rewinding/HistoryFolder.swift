import FoundationEssentials
import Glibc
import TenureCore
import TenureFiles
import TenureFormats

/// Identifies a store whose history servers remember, independent of the host where its database runs.
///
/// The host and port aren't part of the identity, because a failover or a major upgrade changes them.
struct StoreIdentity: Sendable, Hashable {
    /// The store's id (``StoreID``). Copies of the store have the same id.
    let id: [UInt8]
    /// The name of the database, which distinguishes copies on one database server.
    let database: String
}

/// The files of a data folder in which servers remember the histories of their stores.
///
/// Each store has its own files, whose names are derived from its ``StoreIdentity``. If several servers share a store
/// and a folder, each server uses the first file that no other server has locked.
package struct HistoryFolder: Sendable {
    private let path: String

    package init(path: String) { self.path = path }

    /// Whether no server has saved a history in the folder.
    var isEmpty: Bool { names.isEmpty }

    /// Takes a file for a store. The file stays locked until the value is released. Returns `nil` if every file is in
    /// use.
    func takeFile(of store: StoreIdentity) -> HistoryFile? {
        mkdir(path, 0o700)
        for slot in 1...Self.slots {
            let name = "\(Self.prefix(of: store))\(slot)"
            if let file = HistoryFile(file(name), lock: "\(path)/\(name).lock") { return file }
        }
        return nil
    }

    /// The merged history of a store that servers have saved in the folder.
    ///
    /// A copy of the store in a database with another name, such as a restored dump, starts with the history of the
    /// original.
    ///
    /// - Returns: The history, and the paths of the files or the folder that can't be read.
    func remembered(of store: StoreIdentity) -> (history: RememberedHistory, unreadable: [String]) {
        if access(path, R_OK | X_OK) != 0, errno != ENOENT { return (RememberedHistory(), [path]) }
        let ofStore = names.filter { $0.hasPrefix(Self.prefix(of: store.id)) }
        let own = ofStore.filter { $0.hasPrefix(Self.prefix(of: store)) }
        let files = (own.isEmpty ? ofStore : own).map { name in (name, savedAt(name), file(name).read()) }
        let read = files.sorted { $0.1 > $1.1 }.compactMap { file in file.2.flatMap { RememberedHistory($0) } }
        return (RememberedHistory(merging: read), files.filter { $0.2 == nil }.map { "\(path)/\($0.0)" }.sorted())
    }

    private var names: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        // Lock files, and files that are being written, have names that don't end in a number.
        return all.filter { $0.hasPrefix(Self.start) && Int($0.cut(atLastByte: "-")?.after ?? "") != nil }
    }

    private func file(_ name: String) -> FolderFile { FolderFile(name, in: path, longest: 1 << 20) }

    private func savedAt(_ name: String) -> Int {
        var facts = stat()
        return stat("\(path)/\(name)", &facts) == 0 ? facts.st_mtim.tv_sec * 1_000_000_000 + facts.st_mtim.tv_nsec : 0
    }

    private static func prefix(of id: [UInt8]) -> String {
        "\(start)\(Hex.encode(Array(Digest.sha256(of: id).bytes.prefix(8))))-"
    }

    private static func prefix(of store: StoreIdentity) -> String {
        "\(prefix(of: store.id))\(Hex.encode(Array(Digest.sha256(of: store.database).bytes.prefix(4))))-"
    }

    private static let start = "store-history-"
    private static let slots = 32
}

/// A file of a ``HistoryFolder`` that one server has locked.
final class HistoryFile: Sendable {
    private let file: FolderFile
    private let lock: FileDescriptor?

    /// Takes the lock. Returns `nil` if another process has locked the file.
    init?(_ file: FolderFile, lock path: String) {
        self.file = file
        // The lock is a separate file, because saving replaces the file itself. If the lock can't be created, as in a
        // read-only folder, saving reports the cause.
        lock = try? FileDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        if lock?.tryLock() == .busy { return nil }
    }

    func save(_ bytes: [UInt8]) throws { try file.replace(by: bytes) }
}
