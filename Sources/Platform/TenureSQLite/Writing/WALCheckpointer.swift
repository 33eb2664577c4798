import CSQLite
import TenureThreads

/// Checkpoints the write-ahead log once it has grown, after the callers of the last group got their answers.
struct WALCheckpointer: Sendable {
    let connection: Monitor<Connection?>
    let readers: Readers

    /// Checkpoints the log if it is long enough; pages that a reader still needs wait for the next checkpoint.
    func copyBackIfDue() {
        try? connection.lend { connection in
            guard let log = LogIndex(of: connection), log.length >= Self.longest else { return }
            readers.withoutViews {
                _ = unsafe sqlite3_wal_checkpoint_v2(connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            }
        }
    }

    /// The length in pages from which the log is checkpointed, about 16 MB.
    private static let longest = 4_000
}
