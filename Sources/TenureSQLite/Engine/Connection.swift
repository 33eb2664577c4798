import CSQLite
import TenureCore
import TenureStore

/// One connection to a database, with its prepared statements.
// The lock is its owner's: the monitor around the writer's connection, or having been taken out of the pool.
// One thread at a time uses a connection (SQLITE_OPEN_NOMUTEX).
@safe final class Connection: @unchecked Sendable {
    let handle: OpaquePointer
    private var prepared: [ObjectIdentifier: OpaquePointer] = unsafe [:]

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
    func execute(_ sql: StaticString) throws(StoreError) {
        try execute(SQL(sql))
    }

    /// Runs statements that answer nothing.
    func execute(_ sql: SQL) throws(StoreError) {
        try check(unsafe sqlite3_exec(handle, sql.text, nil, nil, nil))
    }

    /// Runs one statement to its end.
    func run(_ sql: SQL, _ values: [Value] = []) throws(StoreError) {
        let statement = unsafe try statement(for: sql)
        defer { unsafe sqlite3_reset(statement) }
        unsafe try bind(values, to: statement)
        try check(unsafe sqlite3_step(statement))
    }

    /// Reads the first row that a query finds; nil when it finds none.
    func first<Read>(
        _ sql: SQL, _ values: [Value] = [], _ read: (Row) throws(StoreError) -> Read
    ) throws(StoreError) -> Read? {
        let statement = unsafe try statement(for: sql)
        defer { unsafe sqlite3_reset(statement) }
        unsafe try bind(values, to: statement)
        let code = unsafe sqlite3_step(statement)
        guard code == SQLITE_ROW else {
            try check(code)
            return nil
        }
        return try unsafe read(Row(statement: statement))
    }

    /// Reads all the rows that a query finds.
    func all<Read>(
        _ sql: SQL, _ values: [Value] = [], _ read: (Row) throws(StoreError) -> Read
    ) throws(StoreError) -> [Read] {
        let statement = unsafe try statement(for: sql)
        defer { unsafe sqlite3_reset(statement) }
        unsafe try bind(values, to: statement)
        return try unsafe collect(from: statement, read)
    }

    /// Reads all the rows of a query whose text is made for the occasion and not kept.
    func once<Read>(
        _ sql: SQL, _ values: [Value] = [], _ read: (Row) throws(StoreError) -> Read
    ) throws(StoreError) -> [Read] {
        let statement = unsafe try prepare(sql, flags: 0)
        defer { unsafe sqlite3_finalize(statement) }
        unsafe try bind(values, to: statement)
        return try unsafe collect(from: statement, read)
    }

    /// How long a change waits while another process holds the database, in milliseconds.
    static let patience: Int32 = 5_000

    private static let processSetUp = tenure_sqlite_disable_memory_statistics()

    private func collect<Read>(
        from statement: OpaquePointer, _ read: (Row) throws(StoreError) -> Read
    ) throws(StoreError) -> [Read] {
        var found: [Read] = []
        while true {
            let code = unsafe sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                try check(code)
                return found
            }
            found.append(try unsafe read(Row(statement: statement)))
        }
    }

    private func statement(for sql: SQL) throws(StoreError) -> OpaquePointer {
        if let statement = unsafe prepared[ObjectIdentifier(sql)] { return unsafe statement }
        let statement = unsafe try prepare(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        unsafe prepared[ObjectIdentifier(sql)] = statement
        return unsafe statement
    }

    private func prepare(_ sql: SQL, flags: UInt32) throws(StoreError) -> OpaquePointer {
        var statement: OpaquePointer?
        try check(unsafe sqlite3_prepare_v3(handle, sql.text, -1, flags, &statement, nil))
        guard let statement = unsafe statement else {
            throw StoreError(.failed, "A statement is empty: a fault of this program.")
        }
        return unsafe statement
    }

    private func bind(_ values: [Value], to statement: OpaquePointer) throws(StoreError) {
        for (index, value) in values.enumerated() {
            try check(unsafe bind(value, to: statement, at: Int32(index + 1)))
        }
    }

    private func bind(_ value: Value, to statement: OpaquePointer, at place: Int32) -> Int32 {
        switch value {
        case .integer(let number): unsafe sqlite3_bind_int64(statement, place, number)
        case .null: unsafe sqlite3_bind_null(statement, place)
        case .blob(let bytes):
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe tenure_sqlite_bind_blob(statement, place, bytes.baseAddress, Int32(bytes.count))
            }
        case .id(let id):
            unsafe withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { bytes in
                unsafe tenure_sqlite_bind_blob(statement, place, bytes.baseAddress, 16)
            }
        case .text(var text):
            text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    unsafe tenure_sqlite_bind_text(statement, place, characters.baseAddress, Int32(characters.count))
                }
            }
        }
    }
}
