import CSQLite
import Glibc
import TenureStore
import TenureThreads

/// A connection to a database, with its prepared statements.
// Lock: the owner's. It's the monitor around the writer's connection, or a reader is taken out of the pool.
// Only one thread at a time uses a connection (SQLITE_OPEN_NOMUTEX).
@safe final class Connection: @unchecked Sendable {
    let handle: OpaquePointer
    private var prepared: [StatementName: PreparedStatement] = [:]
    /// The prepared statements of queries, indexed by query id, so that a request finds them without hashing.
    private var queries: [PreparedStatement?] = []
    /// The handwritten queries with a prepared statement.
    ///
    /// They are retained because the statements are keyed by object identity. Otherwise, a new query at the address of
    /// a freed one would run the statement of the freed one.
    private var preparedViews: [NamedQueryShape] = []
    /// The results of queries without request values, cached for the read transaction that is kept open.
    private var foundInView: [(query: QueryShape, found: QueryResult.Found)] = []
    private var isViewKept = false
    private var areCommitsSynced = true

    /// Opens a connection; the caller configures the database.
    init(path: String, flags: Int32) throws(StoreError) {
        _ = Self.processSetUp
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, Self.fileSystem)
        guard let opened = unsafe opened else {
            throw StoreError(.failed, "There is not enough memory to open the database. Free some and start again.")
        }
        if code != SQLITE_OK {
            let failure = unsafe StoreError.from(code, on: opened, path: path)
            unsafe sqlite3_close_v2(opened)
            throw failure
        }
        unsafe handle = opened
        unsafe sqlite3_busy_handler(opened, Self.waitForOtherProcess, nil)
    }

    deinit {
        prepared = [:]
        queries = []
        unsafe sqlite3_close_v2(handle)
    }

    /// Throws the error for a SQLite result code; every result code goes through here.
    func check(_ code: Int32) throws(StoreError) {
        switch code {
        case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
        default: throw unsafe StoreError.from(code, on: handle, path: nil)
        }
    }

    /// Runs statements that return no rows.
    func execute(_ sql: String) throws(StoreError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Sets whether the next commits on the writer's connection wait until they are on disk.
    func syncCommits(_ isOn: Bool) throws(StoreError) {
        if isOn == areCommitsSynced { return }
        try execute(isOn ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        areCommitsSynced = isOn
    }

    /// Runs a prepared statement to completion.
    func run(_ sql: SQL) throws(StoreError) {
        try preparedStatement(.fixed(ObjectIdentifier(sql))) { sql.text }.finish()
    }

    /// Returns the prepared statement of that name, ready for binding; prepares it on first use.
    func preparedStatement(_ name: StatementName, _ text: () -> String) throws(StoreError) -> Statement {
        if let statement = prepared[name] { return Statement(statement, on: self) }
        let statement = try prepare(text(), flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        prepared[name] = statement
        return Statement(statement, on: self)
    }

    /// Returns a handwritten query's prepared statement, ready for binding; prepares it on first use.
    func preparedStatement(_ view: NamedQueryShape) throws(StoreError) -> Statement {
        try preparedStatement(.view(ObjectIdentifier(view))) {
            preparedViews.append(view)
            return view.sqlite
        }
    }

    /// Returns a query's prepared statement, ready for binding; prepares it on first use.
    func preparedStatement(_ query: QueryShape, _ text: () -> String) throws(StoreError) -> Statement {
        if queries.count > query.id, let statement = queries[query.id] { return Statement(statement, on: self) }
        let statement = try prepare(text(), flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        while queries.count <= query.id { queries.append(nil) }
        queries[query.id] = statement
        return Statement(statement, on: self)
    }

    /// Turns the cache for an open read transaction on or off, and clears it.
    func keepView(_ isKept: Bool) {
        isViewKept = isKept
        foundInView.removeAll(keepingCapacity: true)
    }

    /// Runs a query without request values, such as the catalog's version, once per read transaction.
    ///
    /// Its result can't change within the transaction, so it's cached.
    func once(
        inView query: QueryShape, _ find: () throws -> QueryResult.Found
    ) throws(StoreError) -> QueryResult.Found {
        for resolved in foundInView where resolved.query.id == query.id { return resolved.found }
        let found = try storeErrors(find)
        if isViewKept { foundInView.append((query, found)) }
        return found
    }

    /// Runs a query whose statement isn't cached, and reads all rows.
    func once<Read>(
        _ text: String, _ values: [StoredValue] = [], _ read: (inout RowCursor) throws -> Read
    ) throws(StoreError) -> [Read] {
        var statement = Statement(try prepare(text, flags: 0), on: self)
        for value in values { try statement.bind(value) }
        return try statement.all(read)
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(unsafe sqlite3_changes(handle)) }

    /// Waits for a moment while another process holds the database; gives up after five seconds.
    ///
    /// SQLite's own timeout soon tries only every 100 ms. A command would then often find the database locked by a
    /// server that commits all the time, because the lock is free for less than a millisecond each time.
    private static let waitForOtherProcess: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { _, attempts in
        guard attempts < 2_500 else { return 0 }
        usleep(2_000)
        return 1
    }

    private static let processSetUp = tenure_sqlite_set_up_process()

    /// The virtual file system that keeps a file's mapping across commits; `nil`, SQLite's default, if it can't be
    /// registered.
    private static let fileSystem = tenure_sqlite_register_files() == SQLITE_OK ? "tenure" : nil

    private func prepare(_ text: String, flags: UInt32) throws(StoreError) -> PreparedStatement {
        var statement: OpaquePointer?
        try check(unsafe sqlite3_prepare_v3(handle, text, -1, flags, &statement, nil))
        guard let statement = unsafe statement else {
            throw StoreError(.failed, "A statement is empty. This is a bug in Tenure; please report it.")
        }
        return unsafe PreparedStatement(statement)
    }
}

/// The key of a cached prepared statement.
enum StatementName: Hashable {
    case fixed(ObjectIdentifier)
    case insert(ObjectIdentifier)
    case count(ObjectIdentifier)
    case start(ObjectIdentifier)
    case update(ObjectIdentifier, mask: UInt64)
    case delete(ObjectIdentifier)
    case adopt(ObjectIdentifier)
    case raise(ObjectIdentifier)
    case view(ObjectIdentifier)
}

/// Handwritten SQL text, for transactions and the table of applied migrations.
final class SQL: Sendable {
    let text: String

    init(_ text: StaticString) { self.text = text.description }
}

extension Monitor<Connection?> {
    /// Runs the body with the connection while holding its lock; throws `.closed` if the connection was released.
    func lend<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        try withLock { connection throws(StoreError) in
            guard let connection else { throw .closed }
            return try storeErrors { try body(connection) }
        }
    }
}
