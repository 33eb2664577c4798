import CPostgres
import TenureCore
import TenureStore

/// The result of a statement; freed when it is no longer referenced.
// No lock: it stays on the thread that received it.
@safe final class Answer {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    var count: Int { Int(unsafe PQntuples(result)) }

    /// Calls the body for each row, with a cursor at the row's first column.
    func forEach(_ body: (inout RowCursor) throws -> Void) throws(StoreError) {
        // The cursor points into the result, so keep the result alive until the end.
        defer { withExtendedLifetime(self) {} }
        for number in 0..<Int32(count) {
            var cursor = unsafe RowCursor(RowCursor.postgres, at: result, row: number)
            try storeErrors { try body(&cursor) }
            try check(cursor)
        }
    }

    /// Throws if more columns were read than the result has. Without this check, libpq returns null for the missing
    /// columns, as if nothing were stored.
    private func check(_ cursor: RowCursor) throws(StoreError) {
        if unsafe cursor.column > PQnfields(result) { throw .malformedResponse("The database") }
    }

    func all<Read>(_ read: (inout RowCursor) throws -> Read) throws(StoreError) -> [Read] {
        var found: [Read] = []
        found.reserveCapacity(count)
        try forEach { cursor in found.append(try read(&cursor)) }
        return found
    }

    /// Reads the first row; `nil` if there isn't one.
    func first<Read>(_ read: (inout RowCursor) throws -> Read) throws(StoreError) -> Read? {
        if count == 0 { return nil }
        defer { withExtendedLifetime(self) {} }
        var cursor = unsafe RowCursor(RowCursor.postgres, at: result, row: 0)
        let value = try storeErrors { try read(&cursor) }
        try check(cursor)
        return value
    }
}

extension RowCursor {
    /// The accessors for a result in PostgreSQL's binary format.
    fileprivate static let postgres = unsafe Source(
        isNull: { result, row, column in unsafe PQgetisnull(result, row, column) != 0 },
        integer: { result, row, column in
            guard let start = unsafe UnsafeRawPointer(PQgetvalue(result, row, column)) else {
                return 0
            }
            return switch unsafe PQgetlength(result, row, column) {
            case 8: Int64(bigEndian: unsafe start.loadUnaligned(as: Int64.self))
            case 4: Int64(Int32(bigEndian: unsafe start.loadUnaligned(as: Int32.self)))
            case 1: Int64(unsafe start.load(as: UInt8.self))
            default: 0
            }
        },
        bytes: { result, row, column, count in
            unsafe count.pointee = Int(PQgetlength(result, row, column))
            return unsafe UnsafeRawPointer(PQgetvalue(result, row, column))
        },
        text: StorableText.decode)

    /// Reads the next column as a value of a type.
    mutating func value(_ type: StoredType) throws(StoreError) -> StoredValue {
        if isNull {
            skip()
            return .null
        }
        return switch type {
        case .integer: .integer(try next())
        case .text: .text(try next())
        case .blob: .blob(try next())
        case .flag: .flag(try next())
        case .name: try next(ActivationID.self).storedValue
        }
    }
}
