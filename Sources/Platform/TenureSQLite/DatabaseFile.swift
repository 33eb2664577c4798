import CSQLite
import TenureCore
import TenureFiles
import TenureStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// File system operations on a database.
///
/// They name and rename whole files that SQLite has written, so ``FileReplacement``, which writes bytes, doesn't fit.
enum DatabaseFile {
    /// Ensures that the file exists and this user may open it; a new file gets mode 0600.
    ///
    /// SQLite gives the write-ahead log the same mode.
    static func prepare(_ path: String, mode: SQLiteStore.Mode) throws(StoreError) {
        let create = mode == .readWriteCreate
        do throws(Errno) {
            _ = try FileDescriptor(opening: path, create ? O_RDWR | O_CREAT : O_RDWR, mode: 0o600)
        } catch {
            throw failure(error, opening: path)
        }
    }

    /// Waits until a file or folder is synced to disk.
    static func sync(_ path: String) throws(StoreError) {
        do throws(Errno) {
            try FileDescriptor(opening: path, O_RDONLY).synchronize()
        } catch {
            throw failure(error, opening: path)
        }
    }

    /// Gives a file its final name, unless a file of that name exists.
    static func rename(_ temporary: String, to path: String) throws(StoreError) {
        if unsafe link(temporary, path) == 0 {
            unsafe unlink(temporary)
        } else if errno == EEXIST {
            throw exists(path)
        } else {
            // Some file systems don't support hard links.
            if unsafe access(path, F_OK) == 0 { throw exists(path) }
            if unsafe renameat(AT_FDCWD, temporary, AT_FDCWD, path) != 0 { throw failure(.current, opening: path) }
        }
        try sync(folder(of: path))
    }

    /// Gives a file a second name, or renames it if the file system doesn't support hard links.
    static func name(_ path: String, also other: String) throws(StoreError) {
        if isThere(other) { throw exists(other) }
        if unsafe linkat(AT_FDCWD, path, AT_FDCWD, other, 0) != 0, unsafe renameat(AT_FDCWD, path, AT_FDCWD, other) != 0
        {
            throw failure(.current, opening: path)
        }
    }

    /// Renames a file over another, replacing it.
    static func move(_ new: String, over path: String) throws(StoreError) {
        if unsafe renameat(AT_FDCWD, new, AT_FDCWD, path) != 0 { throw failure(.current, opening: path) }
        try sync(folder(of: path))
    }

    static func exists(_ path: String) -> StoreError {
        StoreError(.exists, "\(path) already exists and was not changed. Choose a new file.")
    }

    static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func remove(_ path: String) { unsafe unlink(path) }

    /// Whether this thread has waited for a page or block of a file since it last called this.
    ///
    /// Reads of other threads don't count, because the writer reads pages that no query needs.
    @Sendable static func hasReadDisk() -> Bool { tenure_thread_has_read_disk() != 0 }

    static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    private static func folder(of path: String) -> String {
        guard let folder = path.cut(atLastByte: "/")?.before else { return "." }
        return folder.isEmpty ? "/" : String(folder)
    }

    private static func failure(_ error: Errno, opening path: String) -> StoreError {
        let cause = error.description
        return switch error.rawValue {
        case EACCES, EPERM:
            StoreError(
                .permission, "This user may not open \(path). Run the command as its owner, or change its mode.",
                cause: cause)
        case ENOENT, ENOTDIR:
            StoreError(.missing, "\(path) or its folder does not exist. Check the path.", cause: cause)
        case EROFS:
            StoreError(.readOnly, "\(path) is on a read-only file system. Choose another path.", cause: cause)
        case ENOSPC, EDQUOT:
            StoreError(.full, "The disk of \(path) is full. Free some space and try again.", cause: cause)
        default:
            StoreError(.failed, "\(path) cannot be opened. See the cause.", cause: cause)
        }
    }
}
