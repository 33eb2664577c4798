import CSQLite
import TenureStore

/// One connection to a database, with its prepared statements.
// The lock is its owner's: the monitor around the writer's connection, or having been taken out of the pool.
// One thread at a time uses a connection (SQLITE_OPEN_NOMUTEX).
@safe final class Connection: @unchecked Sendable {
    let handle: OpaquePointer
    private var prepared: [StatementName: OpaquePointer] = unsafe [:]
    /// The statements of looks, by the looks' numbers: a request finds them without hashing.
    private var looks: [OpaquePointer?] = unsafe []
    /// What looks that take nothing from a request have found in the view of the database that is kept.
    private var foundInView: [(look: LookShape, found: Seen.Found)] = []
    private var isViewKept = false

    /// Opens a connection; how the database is set up is its caller's business.
    init(path: String, flags: Int32) throws(StoreError) {
        _ = Self.processSetUp
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let opened = unsafe opened else {
            throw StoreError(.failed, "There is no memory to open the database; free some and start again.")
        }
        if code != SQLITE_OK {
            let failure = unsafe StoreError.from(code, on: opened, path: path)
            unsafe sqlite3_close_v2(opened)
            throw failure
        }
        unsafe handle = opened
        unsafe sqlite3_busy_timeout(opened, Self.patience)
    }

    deinit {
        _ = unsafe prepared.values.map { unsafe sqlite3_finalize($0) }
        _ = unsafe looks.map { unsafe sqlite3_finalize($0) }
        unsafe sqlite3_close_v2(handle)
    }

    /// The one reader of SQLite's result codes.
    func check(_ code: Int32) throws(StoreError) {
        switch code {
        case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
        default: throw unsafe StoreError.from(code, on: handle, path: nil)
        }
    }

    /// Runs statements that answer nothing.
    func execute(_ sql: String) throws(StoreError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Runs a statement that is prepared once, to its end.
    func run(_ sql: SQL) throws(StoreError) {
        try standing(.fixed(ObjectIdentifier(sql))) { sql.text }.finish()
    }

    /// The statement of that name, ready to be bound; its text is made the first time.
    func standing(_ name: StatementName, _ text: () -> String) throws(StoreError) -> Statement {
        if let statement = unsafe prepared[name] { return unsafe Statement(statement, on: self) }
        let statement = unsafe try prepare(text(), flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        unsafe prepared[name] = statement
        return unsafe Statement(statement, on: self)
    }

    /// The statement of a look, ready to be bound; its text is made the first time.
    func standing(_ look: LookShape, _ text: () -> String) throws(StoreError) -> Statement {
        if unsafe looks.count > look.id, let statement = unsafe looks[look.id] {
            return unsafe Statement(statement, on: self)
        }
        let statement = unsafe try prepare(text(), flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        while unsafe looks.count <= look.id { unsafe looks.append(nil) }
        unsafe looks[look.id] = statement
        return unsafe Statement(statement, on: self)
    }

    /// Begins or ends a view of the database that is kept from read to read.
    func keepView(_ isKept: Bool) {
        isViewKept = isKept
        foundInView.removeAll(keepingCapacity: true)
    }

    /// What a look finds that takes nothing from a request, such as the catalog's version: it is asked once in each view,
    /// for there it stays the same.
    func once(
        inView look: LookShape, _ find: () throws(StoreError) -> Seen.Found
    ) throws(StoreError) -> Seen.Found {
        for known in foundInView where known.look.id == look.id { return known.found }
        let found = try find()
        if isViewKept { foundInView.append((look, found)) }
        return found
    }

    /// Reads all rows of a query whose text is made for the occasion and not kept.
    func once<Read>(
        _ text: String, _ values: [StoredValue] = [], _ read: (inout RowCursor) throws(StoreError) -> Read
    ) throws(StoreError) -> [Read] {
        let pointer = unsafe try prepare(text, flags: 0)
        defer { unsafe sqlite3_finalize(pointer) }
        var statement = unsafe Statement(pointer, on: self)
        for value in values { try statement.bind(value) }
        return try statement.all(read)
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(unsafe sqlite3_changes(handle)) }

    /// How long a change waits while another process holds the database, in milliseconds.
    static let patience: Int32 = 5_000

    private static let processSetUp = tenure_sqlite_set_up_process()

    private func prepare(_ text: String, flags: UInt32) throws(StoreError) -> OpaquePointer {
        var statement: OpaquePointer?
        try check(unsafe sqlite3_prepare_v3(handle, text, -1, flags, &statement, nil))
        guard let statement = unsafe statement else {
            throw StoreError(.failed, "A statement is empty: a fault of this program.")
        }
        return unsafe statement
    }
}

/// What a prepared statement is found by again.
enum StatementName: Hashable {
    case fixed(ObjectIdentifier)
    case insert(ObjectIdentifier)
    case update(ObjectIdentifier, mask: UInt64)
    case delete(ObjectIdentifier)
    case adopt(ObjectIdentifier)
    case raise(ObjectIdentifier, column: Int)
    case view(ObjectIdentifier)
}

/// A statement's text that is written by hand: of transactions and of the ledger of migrations.
final class SQL: Sendable {
    let text: String

    init(_ text: StaticString) { self.text = text.description }
}
