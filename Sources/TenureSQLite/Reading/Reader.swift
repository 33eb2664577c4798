import CSQLite
import TenureStore

/// A connection that reads, and keeps its view of the database as long as nobody commits.
///
/// Beginning and ending a read transaction takes file locks that cost almost as much as a look-up. So a view outlives
/// its read; the next read takes it up again if the log's index says that there is no newer one.
// The lock is its owner's: having been taken out of the pool, or the pool's own.
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

    /// Lends the connection with a view that holds every change acknowledged before this call.
    func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        if let view, let log, log.isStill(view) { return try bodyOrLetGo(body) }
        try letGo()
        // Read before the transaction begins: should a commit fall in between, the header differs and the view is left.
        let before = log?.header()
        try connection.run(.begin)
        view = before
        connection.keepView(before != nil)
        let result = try bodyOrLetGo(body)
        if let log, let before, log.isStill(before) { return result }
        try letGo()
        return result
    }

    /// Ends the view, so that the log can be copied back.
    func letGo() throws(StoreError) {
        view = nil
        connection.keepView(false)
        if connection.isInTransaction { try connection.run(.commit) }
    }

    private func bodyOrLetGo<Result>(
        _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body(connection)
        } catch {
            try? letGo()
            throw error
        }
    }
}

extension SQL {
    /// Opened for writing, because the last connection to close tidies up the log, and forbidden to write.
    static let setUpReader = SQL("PRAGMA query_only = 1; PRAGMA mmap_size = 68719476736; PRAGMA cache_size = -1024")
}
