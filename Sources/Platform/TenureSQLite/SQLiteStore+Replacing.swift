import CSQLite
import Glibc
public import TenureStore

extension SQLiteStore {
    /// Copies a database file with its current schema into a new file of mode 0600; the original is only read.
    ///
    /// An existing file at the destination is overwritten. Throws the errors of ``open(_:path:mode:)``, and `.corrupt`
    /// if a page can't be read.
    public static func copyFile(_ path: String, to copy: String, under schema: StoreSchema) throws(StoreError) {
        removeFile(copy)
        try DatabaseFile.prepare(path, mode: .existing)
        let source = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        guard case .tenure = try source.contents(path: path, under: schema) else {
            throw StoreError(.foreign, "\(path) is not a Tenure store and was not changed. Choose another file.")
        }
        try DatabaseFile.prepare(copy, mode: .readWriteCreate)
        do throws(StoreError) {
            let target = try Connection(path: copy, flags: SQLITE_OPEN_READWRITE)
            try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            let copying = try Copying(from: source, to: target)
            while try copying.step() < 1 {}
        } catch {
            removeFile(copy)
            throw error
        }
    }

    /// Whether opening a database file would migrate its schema; throws the errors of ``open(_:path:mode:)``.
    public static func isBehind(_ schema: StoreSchema, path: String) throws(StoreError) -> Bool {
        try DatabaseFile.prepare(path, mode: .existing)
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        guard case .tenure(let applied) = try connection.contents(path: path, under: schema) else { return true }
        return !applied.isSuperset(of: schema.identifiers)
    }

    /// Replaces a database file by another closed one, and keeps the old file, if it exists, under the name `aside`.
    ///
    /// The old log is renamed as well, because it would damage the new database. The change is durable before this
    /// returns. A concurrent reader finds one of the two databases under the name.
    public static func replaceFile(_ path: String, by new: String, keeping aside: String) throws(StoreError) {
        // A log remains if it couldn't be checkpointed, for example on a full disk. Without this check, its content
        // would be lost.
        guard !DatabaseFile.isThere(new + "-wal") else {
            throw StoreError(.full, "\(new) could not be completed. Free some space on its disk and try again.")
        }
        try DatabaseFile.sync(new)
        for ending in files where DatabaseFile.isThere(path + ending) {
            try DatabaseFile.name(path + ending, also: aside + ending)
        }
        for ending in files.dropFirst() { DatabaseFile.remove(path + ending) }
        try DatabaseFile.move(new, over: path)
    }

    /// Removes a database file that isn't in use, with its log.
    public static func removeFile(_ path: String) {
        for ending in files { DatabaseFile.remove(path + ending) }
    }

    private static let files = ["", "-wal", "-shm"]
}
