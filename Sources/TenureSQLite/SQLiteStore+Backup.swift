import CSQLite
public import TenureStore
import TenureThreads

extension SQLiteStore {
    /// Copies the whole store, as it is at this moment, into one new file of mode 0600.
    ///
    /// Others go on reading and writing meanwhile. The copy is a database that opens by itself.
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

    /// Copies chunk by chunk, on a thread of its own.
    private func copy(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        let lane = try CopyLane()
        let (source, copying) = try await lane.run { [self] () throws(StoreError) in
            let source = try backupSource()
            let target = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
            try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            return try source.lend { connection throws(StoreError) in
                (source, try Copying(from: connection, to: target))
            }
        }
        while true {
            let share = try await lane.run { () throws(StoreError) in
                try source.lend { _ throws(StoreError) in try copying.step() }
            }
            progress(share)
            if share >= 1 { return }
        }
    }

    /// A connection of its own for a file; in memory the writer's, which is lent chunk by chunk.
    private func backupSource() throws(StoreError) -> Monitor<Connection?> {
        guard let path else { return connection }
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        try connection.execute(SQL.setUpReader.text)
        // The copy starts again whenever another connection writes, unless a transaction holds the state still.
        try connection.run(.begin)
        try connection.fixView()
        return Monitor(connection)
    }
}

/// A copy under way.
// No lock: one task at a time moves it, and its source is lent to that task meanwhile.
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

    /// Copies the next chunk; answers the share done, 1 when all is.
    func step() throws(StoreError) -> Double {
        let code = unsafe sqlite3_backup_step(backup, 1_024)
        if code == SQLITE_DONE { return 1 }
        if code != SQLITE_OK { throw unsafe StoreError.from(code, on: target.handle, path: nil) }
        let all = Double(unsafe sqlite3_backup_pagecount(backup))
        return min(0.999, (all - Double(unsafe sqlite3_backup_remaining(backup))) / max(all, 1))
    }
}
