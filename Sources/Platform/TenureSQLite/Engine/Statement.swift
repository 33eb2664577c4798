import CSQLite
import TenureStore

/// A single use of a prepared statement: bind, step, reset.
@safe struct Statement {
    private let prepared: PreparedStatement
    private let connection: Connection
    private var bound: Int32 = 0

    private var pointer: OpaquePointer { unsafe prepared.pointer }

    init(_ prepared: PreparedStatement, on connection: Connection) {
        self.prepared = prepared
        self.connection = connection
        prepared.begin()
    }

    /// Binds the next parameter.
    mutating func bind(_ value: StoredValue) throws(StoreError) {
        bound += 1
        let code =
            switch value {
            case .integer(let number): unsafe sqlite3_bind_int64(pointer, bound, number)
            case .flag(let flag): unsafe sqlite3_bind_int64(pointer, bound, flag ? 1 : 0)
            case .null: unsafe sqlite3_bind_null(pointer, bound)
            case .blob(let bytes): unsafe bytes.withUnsafeBytes { bytes in unsafe bind(bytes) }
            case .name(let high, let low):
                unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in unsafe bind(bytes) }
            case .text(let text): bind(text)
            }
        try connection.check(code)
    }

    private func bind(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        if let copy = unsafe prepared.keep(bytes) {
            return unsafe tenure_sqlite_bind_kept_blob(pointer, bound, copy, Int32(bytes.count))
        }
        return unsafe tenure_sqlite_bind_blob(pointer, bound, bytes.baseAddress, Int32(bytes.count))
    }

    private func bind(_ text: String) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            if let copy = unsafe prepared.keep(UnsafeRawBufferPointer(bytes)) {
                return unsafe tenure_sqlite_bind_kept_text(pointer, bound, copy, Int32(bytes.count))
            }
            return unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe tenure_sqlite_bind_text(pointer, bound, characters.baseAddress, Int32(characters.count))
            }
        }
    }

    /// Runs the statement to completion.
    func finish() throws(StoreError) {
        defer { unsafe sqlite3_reset(pointer) }
        try connection.check(unsafe sqlite3_step(pointer))
    }

    /// Reads the first row; `nil` if there isn't one.
    func first<Read>(_ read: (inout RowCursor) throws -> Read) throws(StoreError) -> Read? {
        defer { unsafe sqlite3_reset(pointer) }
        let code = unsafe sqlite3_step(pointer)
        guard code == SQLITE_ROW else {
            try connection.check(code)
            return nil
        }
        var cursor = unsafe RowCursor(RowCursor.sqlite, at: pointer)
        return try storeErrors { try read(&cursor) }
    }

    func all<Read>(_ read: (inout RowCursor) throws -> Read) throws(StoreError) -> [Read] {
        defer { unsafe sqlite3_reset(pointer) }
        var found: [Read] = []
        while true {
            let code = unsafe sqlite3_step(pointer)
            guard code == SQLITE_ROW else {
                try connection.check(code)
                return found
            }
            var cursor = unsafe RowCursor(RowCursor.sqlite, at: pointer)
            found.append(try storeErrors { try read(&cursor) })
        }
    }
}

extension RowCursor {
    /// SQLite's accessors for the current row of a statement.
    fileprivate static let sqlite = unsafe Source(
        isNull: { position, _, column in unsafe sqlite3_column_type(position, column) == SQLITE_NULL },
        integer: { position, _, column in unsafe sqlite3_column_int64(position, column) },
        bytes: { position, _, column, count in
            let start = unsafe sqlite3_column_blob(position, column)
            unsafe count.pointee = unsafe Int(sqlite3_column_bytes(position, column))
            return unsafe start
        })
}
