#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The right to change a record, held by one process and one thread at a time; it ends with the value, or the process.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock, or fails at once.
    ///
    /// Throws: `.busy`, another process or thread holds it; `.unwritable`, its file cannot be made.
    init(_ name: String, in folder: borrowing PrivateFolder) throws(VaultError) {
        let file = "\(folder.path)/\(name)"
        descriptor = openat(folder.descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw errno == ELOOP ? .noFile(.unwritable, file) : .system(.unwritable, file, errno)
        }
        _ = try PrivateFolder.length(of: descriptor, file, .unwritable)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: throw VaultError(.busy, "Another process holds \(file).")
            // A file system without locks: a record is still replaced as a whole, and that nobody is locked out of a
            // license for it weighs more than that two programs at once may undo what the other wrote.
            case ENOLCK, EOPNOTSUPP, ENOSYS: return
            default: throw .system(.unwritable, file, errno)
            }
        }
    }

    deinit { close(descriptor) }
}
