import CSQLite
import Synchronization
import TenureStore
import TenureThreads

/// Checkpoints the write-ahead log once it has grown, mostly on a thread of its own.
///
/// The log starts over only when all of its pages have been copied into the database. The thread can't get there while
/// the writer adds pages, so the writer copies the last few, after it has resumed the callers of its last group.
final class WALCheckpointer: Sendable {
    private let path: String
    /// The writer's connection, on which the log's length is read.
    private let connection: Monitor<Connection?>
    private let readers: Readers
    /// The checkpointing thread; its queue is `true` if there are pages to copy.
    private let thread = WorkerThreads(false)
    private let isCopying = Monitor(false)
    /// The log's length, in pages, from which the writer acts next; it rises while a reader keeps the log from starting
    /// over.
    private let due = Atomic(WALCheckpointer.longest)

    /// Starts the thread.
    init(path: String, connection: Monitor<Connection?>, readers: Readers) throws(StoreError) {
        self.path = path
        self.connection = connection
        self.readers = readers
        do throws(ThreadError) {
            try thread.start { [self] in copyWhenAsked() }
        } catch {
            throw StoreError(error)
        }
    }

    /// Starts a checkpoint if the log is long enough, or ends one; only called by the writer's thread.
    ///
    /// Pages that a reader still needs wait for the next checkpoint. If the log has twice ``longest`` pages, the writer
    /// waits for the running checkpoint and copies the rest, so that the log doesn't grow without bound on a slow disk.
    func copyBackIfDue() {
        try? connection.lend { connection in
            guard let log = LogIndex(of: connection) else { return }
            let length = log.length
            if length < Self.longest { return due.store(Self.longest, ordering: .relaxed) }
            if length < due.load(ordering: .relaxed) { return }
            let isFull = length >= 2 * Self.longest
            if isFull {
                isCopying.wait { isCopying in isCopying ? nil : () }
            } else if isCopying.withLock({ isCopying in isCopying }) {
                return
            }
            if isFull || length - log.copied <= Self.few {
                due.store(length + Self.few, ordering: .relaxed)
                readers.withoutViews { connection.copyLog() }
            } else {
                isCopying.withLock { isCopying in isCopying = true }
                let isAsked: Void? = thread.add { isWanted in isWanted = true }
                if isAsked == nil { isCopying.withLock { isCopying in isCopying = false } }
            }
        }
    }

    /// Finishes a running checkpoint, then ends the thread.
    func stop() async { await thread.stop() }

    private func copyWhenAsked() {
        var own: Connection?
        while thread.next({ isWanted in
            defer { isWanted = false }
            return isWanted ? () : nil
        }) != nil {
            if own == nil { own = try? Connection(copyingLogOf: path) }
            readers.letGoOfViews()
            own?.copyLog()
            isCopying.change(wakingAll: true) { isCopying in isCopying = false }
        }
    }

    /// The length in pages from which the log is checkpointed, about 16 MB.
    private static let longest = 4_000
    /// The most pages that the writer copies itself, about 4 MB.
    private static let few = 1_000
}

extension Connection {
    /// Opens the connection of the checkpoint's thread.
    fileprivate convenience init(copyingLogOf path: String) throws(StoreError) {
        try self.init(path: path, flags: SQLITE_OPEN_READWRITE)
        // Without a first read, SQLite doesn't open the log, and a checkpoint does nothing.
        try execute("PRAGMA synchronous = FULL; SELECT 1 FROM sqlite_schema LIMIT 1")
    }

    /// Copies the pages of the log that no reader still needs, without waiting for readers or the writer.
    fileprivate func copyLog() {
        _ = unsafe sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
}
