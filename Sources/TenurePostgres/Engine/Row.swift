import CPostgres
import TenureCore
import TenureStore

/// What a statement answered; let go of when nobody looks at it any more.
// No lock: it stays on the thread that received it.
@safe final class Answer {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    var count: Int { Int(unsafe PQntuples(result)) }

    /// Reads all rows.
    func all<Read>(_ read: (Row) throws(StoreError) -> Read) throws(StoreError) -> [Read] {
        var found: [Read] = []
        found.reserveCapacity(count)
        for number in 0..<Int32(count) { found.append(try unsafe read(Row(result: result, number: number))) }
        return found
    }

    /// Reads the first row; nil when there is none.
    func first<Read>(_ read: (Row) throws(StoreError) -> Read) throws(StoreError) -> Read? {
        count > 0 ? try unsafe read(Row(result: result, number: 0)) : nil
    }
}

/// One row of an answer, in PostgreSQL's binary format; good inside the reading closure.
@safe struct Row: StoredRow {
    fileprivate let result: OpaquePointer
    fileprivate let number: Int32

    func isNull(_ column: Int32) -> Bool {
        unsafe PQgetisnull(result, number, column) != 0
    }

    func integer(_ column: Int32) -> Int64 {
        unsafe field(column).reduce(0) { number, byte in number << 8 | Int64(byte) }
    }

    func text(_ column: Int32) -> String {
        unsafe StorableText.decode(String(decoding: field(column), as: UTF8.self))
    }

    func bytes(_ column: Int32) -> [UInt8] {
        unsafe Array(field(column))
    }

    func flag(_ column: Int32) -> Bool {
        unsafe field(column).first == 1
    }

    func activationID(_ column: Int32) throws(StoreError) -> ActivationID {
        let bytes = unsafe field(column)
        guard bytes.count == 16, let start = bytes.baseAddress else { throw .unreadable("an activation's id") }
        return unsafe ActivationID(
            high: UInt64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: UnsafeRawPointer(start).loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    private func field(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        guard let start = unsafe PQgetvalue(result, number, column) else {
            return unsafe UnsafeBufferPointer(start: nil, count: 0)
        }
        let count = Int(unsafe PQgetlength(result, number, column))
        return unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
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
