import CSQLite
import TenureStore

/// A reading connection that keeps its read transaction open until there is a commit.
///
/// Starting and ending a read transaction takes file locks that cost almost as much as a lookup. The transaction
/// therefore stays open after a read, and the next read continues it if the log's index shows no newer commit.
// Lock: the owner's. A reader is taken out of the pool, or the pool's own lock is held.
final class Reader: @unchecked Sendable {
    private let connection: Connection
    private let log: LogIndex?
    private var view: LogIndex.Header?

    init(path: String) throws(StoreError) {
        connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        try connection.execute(SQL.setUpReader.text)
        try connection.fixView()
        log = LogIndex(of: connection)
    }

    /// Runs the body in a read transaction that contains every change acknowledged before this call.
    func read<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        if let view, let log, log.isStill(view) { return try bodyOrLetGo(body) }
        try letGo()
        // Read the header before the transaction begins: if a commit falls in between, the header has changed
        // afterwards and the transaction isn't kept open.
        let before = log?.header()
        try connection.run(.begin)
        view = before
        connection.keepView(before != nil)
        let result = try bodyOrLetGo(body)
        if let log, let before, log.isStill(before) { return result }
        try letGo()
        return result
    }

    /// Ends the read transaction, so that the log can be checkpointed.
    func letGo() throws(StoreError) {
        view = nil
        connection.keepView(false)
        if connection.isInTransaction { try connection.run(.commit) }
    }

    private func bodyOrLetGo<Result>(
        _ body: (Connection) throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body(connection)
        } catch {
            try? letGo()
            throw StoreError(thrown: error)
        }
    }
}

extension SQL {
    /// Configures a reading connection; `query_only` forbids writes.
    ///
    /// It is nevertheless opened for writing, because the last connection to close cleans up the log.
    static let setUpReader = SQL("PRAGMA query_only = 1; PRAGMA mmap_size = 68719476736; PRAGMA cache_size = -1024")
}
