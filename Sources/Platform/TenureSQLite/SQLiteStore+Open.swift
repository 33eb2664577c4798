import CSQLite
import Glibc
public import TenureStore

extension SQLiteStore {
    /// What to do if the file doesn't exist.
    public enum Mode: Sendable, Hashable {
        /// Create the file with mode 0600, for this user only.
        case readWriteCreate
        /// Fail with `.missing`, and create nothing.
        case existing
    }

    /// Opens a database file and migrates its schema.
    ///
    /// Throws one of these errors without touching the file:
    /// - `.missing` if the file or its folder doesn't exist.
    /// - `.permission` or `.readOnly` if this user may not use it.
    /// - `.corrupt` if it isn't a database.
    /// - `.foreign` if it's another program's database.
    /// - `.newerSchema` if a newer version of Tenure created it.
    ///
    /// Throws `.busy` if another process holds the file for too long.
    public static func open(
        _ schema: StoreSchema, path: String, mode: Mode = .readWriteCreate
    ) throws(StoreError) -> SQLiteStore {
        try DatabaseFile.prepare(path, mode: mode)
        let began = ContinuousClock.now
        while true {
            do throws(StoreError) {
                return try openPrepared(schema, path, mode)
            } catch {
                // While another process creates, recovers or removes the log, SQLite returns SQLITE_BUSY without
                // waiting.
                guard error.code == .busy, ContinuousClock.now - began < openingPatience else { throw error }
            }
            usleep(5_000)
        }
    }

    private static let openingPatience = Duration.seconds(5)

    private static func openPrepared(
        _ schema: StoreSchema, _ path: String, _ mode: Mode
    ) throws(StoreError) -> SQLiteStore {
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        if unsafe sqlite3_db_readonly(connection.handle, nil) != 0 {
            throw StoreError(.readOnly, "\(path) is not writable. Make the file and its folder writable for this user.")
        }
        if case .nothing = try connection.contents(path: path, under: schema), mode == .existing {
            throw StoreError(.foreign, "\(path) is not a Tenure store and was not changed. Choose another file.")
        }
        try connection.execute(SQL.setUpWriter.text)
        try connection.migrate(path: path, to: schema)
        return try SQLiteStore(path: path, connection: connection)
    }

    /// Creates an in-memory database for tests; its data is lost when the store is closed.
    public static func inMemory(_ schema: StoreSchema) throws(StoreError) -> SQLiteStore {
        let connection = try Connection(path: ":memory:", flags: SQLITE_OPEN_READWRITE)
        try connection.execute(SQL.setUpWriter.text)
        try connection.migrate(path: "the database in memory", to: schema)
        return try SQLiteStore(path: nil, connection: connection)
    }
}

extension SQL {
    /// Configures the writer's connection: every commit is synced, and ``WALCheckpointer`` checkpoints the log.
    ///
    /// After a burst of writes, the log's file is cut to 64 MB. The page cache has 4 MB at most, because unchanged pages
    /// are read from the memory mapping.
    fileprivate static let setUpWriter = SQL(
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
        PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864;
        PRAGMA mmap_size = 68719476736; PRAGMA cache_size = -4096
        """)
}
