import CSQLite
import Glibc
public import TenureStore

extension SQLiteStore {
    /// Copies a database file as it is, with the schema that it has, into a new one of mode 0600; the former is only read.
    ///
    /// An existing file is overwritten. Throws what ``open(_:path:mode:)`` throws, and `.corrupt` when a page cannot be read.
    public static func copyFile(_ path: String, to copy: String, under schema: StoreSchema) throws(StoreError) {
        removeFile(copy)
        try DatabaseFile.prepare(path, mode: .existing)
        let source = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        guard case .tenure = try source.contents(path: path, under: schema) else {
            throw StoreError(.foreign, "\(path) holds nothing of Tenure; name another file. It was not touched.")
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

    /// Whether opening a database file would bring its schema up to date. Throws what ``open(_:path:mode:)`` throws.
    public static func isBehind(_ schema: StoreSchema, path: String) throws(StoreError) -> Bool {
        try DatabaseFile.prepare(path, mode: .existing)
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        guard case .tenure(let applied) = try connection.contents(path: path, under: schema) else { return true }
        return !applied.isSuperset(of: schema.identifiers)
    }

    /// Gives a closed database file the name of another, which gets a name of its own if it is there, with the log beside
    /// it: a log beside another database would damage that. Durable before this returns.
    ///
    /// Whoever looks meanwhile finds one of the two under the name.
    public static func replaceFile(_ path: String, by new: String, keeping aside: String) throws(StoreError) {
        // What could not be copied back from its log, such as on a full disk, would be left behind.
        guard !DatabaseFile.isThere(new + "-wal") else {
            throw StoreError(.full, "\(new) could not be finished; make room on its disk and try again.")
        }
        try DatabaseFile.sync(new)
        for ending in files where DatabaseFile.isThere(path + ending) {
            try DatabaseFile.name(path + ending, also: aside + ending)
        }
        for ending in files.dropFirst() { DatabaseFile.remove(path + ending) }
        try DatabaseFile.move(new, over: path)
    }

    /// Removes a database file that nobody uses, with its log.
    public static func removeFile(_ path: String) {
        for ending in files { DatabaseFile.remove(path + ending) }
    }

    private static let files = ["", "-wal", "-shm"]
}
