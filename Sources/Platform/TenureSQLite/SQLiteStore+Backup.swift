import CSQLite
public import TenureStore
import TenureThreads

extension SQLiteStore {
    /// Copies the whole store in its current state into one new file of mode 0600.
    ///
    /// Others keep reading and writing meanwhile. The copy is a complete database.
    public func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        if DatabaseFile.isThere(path) { throw DatabaseFile.exists(path) }
        let temporary = "\(path).part-\(UInt32.random(in: 0 ... .max))"
        try DatabaseFile.prepare(temporary, mode: .readWriteCreate)
        do {
            try await copy(to: temporary, progress: progress)
            try DatabaseFile.sync(temporary)
            try DatabaseFile.rename(temporary, to: path)
        } catch {
            DatabaseFile.remove(temporary)
            throw error
        }
    }

    /// Copies chunk by chunk on a separate thread.
    private func copy(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        let pool = try CopyWorker()
        let (source, copying) = try await pool.run { [self] in
            let source = try backupSource()
            let target = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
            try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            return try source.lend { connection in (source, try Copying(from: connection, to: target)) }
        }
        while true {
            let share = try await pool.run {
                try source.lend { _ in try copying.step() }
            }
            progress(share)
            if share >= 1 { return }
        }
    }

    /// A separate connection for a file; for an in-memory database the writer's, which is locked for one chunk at a
    /// time.
    private func backupSource() throws(StoreError) -> Monitor<Connection?> {
        guard let path else { return connection }
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        try connection.execute(SQL.setUpReader.text)
        // Without a transaction, the copy would start over whenever another connection writes.
        try connection.run(.begin)
        try connection.fixView()
        return Monitor(connection)
    }
}

/// A running copy of a whole database, page by page.
// No lock: one task at a time advances it, while it holds the lock of the source.
@safe final class Copying: @unchecked Sendable {
    private let target: Connection
    private let backup: OpaquePointer

    init(from source: Connection, to target: Connection) throws(StoreError) {
        self.target = target
        guard let backup = unsafe sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw unsafe StoreError.from(sqlite3_errcode(target.handle), on: target.handle, path: nil)
        }
        unsafe self.backup = backup
    }

    deinit { unsafe sqlite3_backup_finish(backup) }

    /// Copies the next chunk and returns the fraction done, which is 1 at the end.
    func step() throws(StoreError) -> Double {
        let code = unsafe sqlite3_backup_step(backup, 1_024)
        if code == SQLITE_DONE { return 1 }
        if code != SQLITE_OK { throw unsafe StoreError.from(code, on: target.handle, path: nil) }
        let all = Double(unsafe sqlite3_backup_pagecount(backup))
        return min(0.999, (all - Double(unsafe sqlite3_backup_remaining(backup))) / max(all, 1))
    }
}
