import CSQLite
import TenureCore
import TenureStore

/// The row that a statement stands on; good until the statement moves.
@safe struct Row: StoredRow {
    let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(statement, column)
    }

    func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(statement, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func flag(_ column: Int32) -> Bool { integer(column) != 0 }

    func activationID(_ column: Int32) throws(StoreError) -> ActivationID {
        guard let start = unsafe sqlite3_column_blob(statement, column),
            unsafe sqlite3_column_bytes(statement, column) == 16
        else { throw .unreadable("an activation's id") }
        return unsafe ActivationID(
            high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

/// Beside those of every ``StoredRow``, and not generic, because each request reads names and ids.
extension Row {
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : Int(integer(column)) }
    func moment(_ column: Int32) -> Timestamp { Timestamp(seconds: integer(column)) }
    func optionalMoment(_ column: Int32) -> Timestamp? { isNull(column) ? nil : moment(column) }

    func slug<Named>(_ column: Int32) throws(StoreError) -> Slug<Named> {
        guard let slug = Slug<Named>(text(column)) else { throw .unreadable("a tenant's, product's or policy's name") }
        return slug
    }

    func product(_ tenant: Int32, _ product: Int32) throws(StoreError) -> ProductRef {
        ProductRef(tenant: try slug(tenant), product: try slug(product))
    }

    func digest(_ column: Int32) throws(StoreError) -> Digest {
        guard let digest = Digest(bytes(column)) else { throw .unreadable("a digest") }
        return digest
    }

    func license(_ column: Int32) throws(StoreError) -> LicenseID {
        guard let id = LicenseID(number: integer(column)) else { throw .unreadable("a license's id") }
        return id
    }
}
