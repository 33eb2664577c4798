import CSQLite
import Glibc
import TenureStore

extension StoreError.Code {
    /// A unique constraint failed; the code that saves the row replaces this with a more specific error.
    static let duplicate = StoreError.Code("store_duplicate")
    /// A foreign key constraint failed; the code that saves the row replaces this with a more specific error.
    static let reference = StoreError.Code("store_reference")
}

extension StoreError {
    /// Translates a SQLite result code into an error for operators.
    static func from(_ code: Int32, on handle: OpaquePointer, path: String?) -> StoreError {
        // An error of a backup is in its result alone, and not in the connection.
        let hasMessage = unsafe sqlite3_errcode(handle) != SQLITE_OK
        let words = unsafe String(cString: hasMessage ? sqlite3_errmsg(handle) : sqlite3_errstr(code))
        let file = unsafe sqlite3_db_filename(handle, nil).map { unsafe String(cString: $0) } ?? ""
        // On a full disk, SQLite reports a failed write if it can't extend the index of the write-ahead log.
        let hasSpace = unsafe code & 0xFF != SQLITE_IOERR || ![ENOSPC, EDQUOT].contains(sqlite3_system_errno(handle))
        let (code, message) = meaning(
            of: hasSpace ? code : SQLITE_FULL, at: path ?? (file.isEmpty ? "The database in memory" : file))
        return StoreError(code, message, cause: words)
    }

    private static func meaning(of code: Int32, at position: String) -> (Code, String) {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED:
            (.busy, "Another process has locked \(position) for too long. Try again, or find out which process it is.")
        case SQLITE_FULL:
            (.full, "The disk of \(position) is full. Nothing was changed. Free some space and try again.")
        case SQLITE_READONLY:
            (.readOnly, "\(position) is not writable. Make the file and its folder writable for this user.")
        case SQLITE_PERM, SQLITE_AUTH:
            (.permission, "This user may not open \(position). Run the command as its owner, or change its mode.")
        case SQLITE_CANTOPEN:
            (.permission, "\(position) cannot be opened. Check that its folder exists and belongs to this user.")
        case SQLITE_NOTADB:
            (.corrupt, "\(position) is not a database. Choose another file, or restore a backup.")
        case SQLITE_CORRUPT:
            (.corrupt, "\(position) is damaged. Stop the server and restore the latest backup.")
        case SQLITE_CONSTRAINT where [uniqueViolated, primaryKeyViolated].contains(code):
            (.duplicate, "A row with this key is already stored. This is a bug in Tenure; please report it.")
        case SQLITE_CONSTRAINT where code == foreignKeyViolated:
            (.reference, "A row refers to one that is not stored. This is a bug in Tenure; please report it.")
        case SQLITE_IOERR:
            (.failed, "The disk failed while reading or writing \(position). Check the disk and its free space.")
        default:
            (.failed, "\(position) refused a statement. This is a bug in Tenure; please report it.")
        }
    }

    /// Whether the cause is the environment, so that every other change of the group would fail as well.
    var concernsAll: Bool {
        [.busy, .full, .readOnly, .permission].contains(code)
    }
}

// SQLite defines these with macros that Swift can't import.
private let uniqueViolated = SQLITE_CONSTRAINT | 8 << 8
private let primaryKeyViolated = SQLITE_CONSTRAINT | 6 << 8
private let foreignKeyViolated = SQLITE_CONSTRAINT | 3 << 8
