#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The right to change a record, held by one process and one thread at a time; it ends with the value, or the process.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Waits for the lock, sleeping so many milliseconds between attempts as `patience` says.
    ///
    /// Throws: `.unwritable`, when another process does not let go of it or its file cannot be made.
    init(
        _ name: String, in folder: borrowing PrivateFolder, patience: [Int] = FileLock.patience
    ) throws(VaultError) {
        let file = "\(folder.path)/\(name)"
        descriptor = openat(folder.descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw errno == ELOOP ? .noFile(.unwritable, file) : .system(.unwritable, file, errno)
        }
        _ = try PrivateFolder.length(of: descriptor, file, .unwritable)
        for milliseconds in patience {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: Self.sleep(milliseconds)
            // A file system without locks: a record is still replaced as a whole, and that nobody is locked out of a
            // license for it weighs more than that two programs at once may undo what the other wrote.
            case ENOLCK, EOPNOTSUPP, ENOSYS: return
            default: throw .system(.unwritable, file, errno)
            }
        }
        throw VaultError(
            .unwritable, "Another process holds \(file) and does not let go of it; end it and try again.")
    }

    deinit { close(descriptor) }

    /// 10 s in all. Holding the lock takes two writes to the disk.
    private static let patience = (0..<6).map { 1 << $0 } + Array(repeating: 50, count: 200)

    private static func sleep(_ milliseconds: Int) {
        var pause = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
        nanosleep(&pause, nil)
    }
}
