public import TenureCore
public import TenureStore
import TenureThreads

/// Keeps the store's promises in one SQLite file: changes on one thread, many to a commit; reads in place, on the
/// thread that asks.
///
/// Several processes may have the same file open: a server and the command line beside it.
/// See `Documentation/storage.md` for the tables and for what is durable when.
public final class SQLiteStore: Store {
    let readers: Readers
    /// Where the file is; nil for a database in memory.
    let path: String?
    /// The writer's connection; in memory it serves the reads as well.
    let connection: Monitor<Connection?>
    private let writer: Writer

    init(path: String?, connection: Monitor<Connection?>, readers: Readers, writer: Writer) {
        self.path = path
        self.connection = connection
        self.readers = readers
        self.writer = writer
    }

    /// Carries out one change, with others that wait in one transaction, and waits for the disk.
    public func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        try await writer.perform(change)
    }

    /// Writes down when devices were last seen, when no change waits.
    public func recordSightings(_ sightings: [ActivationID: Timestamp]) async throws(StoreError) {
        try await writer.record(sightings)
    }

    /// Always: the folder's lock lets only one server run on a file.
    public func lead(_ role: Role) async -> Bool { true }

    /// Waits for changes under way, then lets go of the file.
    public func close() async {
        await writer.stop()
        readers.close()
        connection.withLock { connection in connection = nil }
    }
}
