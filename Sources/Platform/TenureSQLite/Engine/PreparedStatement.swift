import CSQLite

/// A prepared statement, with room for the texts and blobs that are bound to it.
///
/// SQLite would allocate memory for a copy of each, and free it when the next value is bound.
// Lock: the owner's, which is that of the connection.
@safe final class PreparedStatement {
    let pointer: OpaquePointer
    private var room = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The bytes that the current values occupy, or would occupy if there were room for all of them.
    private var used = 0

    /// The most bytes that are kept for one statement; SQLite copies the values of a statement that needs more.
    private static let mostRoom = 4_096

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe sqlite3_finalize(pointer)
        unsafe room.deallocate()
    }

    /// Drops the values of the last use; all parameters must be bound again.
    func begin() {
        if unsafe used > room.count, used <= Self.mostRoom {
            unsafe room.deallocate()
            unsafe room = .allocate(byteCount: used.roundedUp, alignment: 8)
        }
        used = 0
    }

    /// Copies bytes to memory that stays valid until the statement is used again; `nil` if there isn't enough room.
    func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        let start = used
        used += bytes.count
        guard bytes.count > 0, unsafe used <= room.count, let base = unsafe room.baseAddress,
            let source = bytes.baseAddress
        else { return nil }
        let address = unsafe base + start
        unsafe address.copyMemory(from: source, byteCount: bytes.count)
        return UnsafeRawPointer(address)
    }
}

extension Int {
    /// The next multiple of 64.
    fileprivate var roundedUp: Int { (self + 63) & ~63 }
}
