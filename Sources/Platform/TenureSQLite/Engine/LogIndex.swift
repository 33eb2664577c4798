import CSQLite

/// Reads the shared-memory index of the write-ahead log, which shows commits without a system call.
///
/// It's valid only while its connection is open.
@safe struct LogIndex {
    private let start: UnsafeRawPointer

    /// Finds the index; `nil` for a database without a write-ahead log, or before the connection's first read.
    init?(of connection: Connection) {
        guard let start = unsafe tenure_sqlite_log_index(connection.handle) else { return nil }
        unsafe self.start = UnsafeRawPointer(start)
    }

    /// The index header that the last commit wrote.
    struct Header {
        fileprivate var value: tenure_sqlite_log_header
    }

    func header() -> Header {
        Header(value: unsafe tenure_sqlite_read_log_header(start))
    }

    /// Whether there has been no commit since the header was read.
    func isStill(_ results: Header) -> Bool {
        var value = results.value
        return unsafe tenure_sqlite_log_header_is(start, &value) != 0
    }

    /// The number of pages in the log.
    var length: Int { Int(unsafe tenure_sqlite_log_length(start)) }

    /// The number of the log's pages that have been copied into the database.
    var copied: Int { Int(unsafe tenure_sqlite_log_copied(start)) }
}
