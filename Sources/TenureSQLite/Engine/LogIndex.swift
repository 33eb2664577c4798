import CSQLite

/// A look at the index of a database's log, which tells without a system call whether anybody has committed.
///
/// Good as long as its connection is open.
@safe struct LogIndex {
    private let start: UnsafeRawPointer

    /// Finds the index; nil for a database without a log, or before the connection has read anything.
    init?(of connection: Connection) {
        guard let start = unsafe tenure_sqlite_log_index(connection.handle) else { return nil }
        unsafe self.start = UnsafeRawPointer(start)
    }

    /// What the last commit left.
    struct Header {
        fileprivate var value: tenure_sqlite_log_header
    }

    func header() -> Header {
        Header(value: unsafe tenure_sqlite_read_log_header(start))
    }

    /// Whether nobody has committed since the header was read.
    func isStill(_ seen: Header) -> Bool {
        var value = seen.value
        return unsafe tenure_sqlite_log_header_is(start, &value) != 0
    }

    /// How many pages the log holds.
    var length: Int { Int(unsafe tenure_sqlite_log_length(start)) }
}
