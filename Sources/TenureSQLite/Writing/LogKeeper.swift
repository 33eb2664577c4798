import CSQLite
import TenureThreads

/// Copies the log back into the database when it has grown, after the callers of the last group have their answers.
struct LogKeeper: Sendable {
    let connection: Monitor<Connection?>
    let readers: Readers

    /// Copies back what no reader needs; what is left waits for the next time.
    func copyBackIfDue() {
        try? connection.lend { connection in
            guard let log = LogIndex(of: connection), log.length >= Self.longest else { return }
            readers.withoutViews {
                _ = unsafe sqlite3_wal_checkpoint_v2(connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            }
        }
    }

    /// About 16 MB of pages.
    private static let longest = 4_000
}
