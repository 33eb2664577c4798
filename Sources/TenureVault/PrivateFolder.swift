#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A folder that belongs to this user alone, held open; its files are reached from it, so that no link that is swapped in
/// on the way leads elsewhere.
package struct PrivateFolder: ~Copyable {
    /// Where it is.
    package let path: String
    /// What it is held open by; files are reached from it.
    package let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens the folder; nil when there is none.
    ///
    /// Throws: the given code, when it is no folder (a symbolic link is none), is another user's, or others may write to it.
    package static func opened(_ path: String, failing code: VaultError.Code) throws(VaultError) -> PrivateFolder? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let cause = errno
            if cause == ENOENT { return nil }
            throw cause == ELOOP || cause == ENOTDIR ? .noFolder(code, path) : .system(code, path, cause)
        }
        let folder = PrivateFolder(path: path, descriptor: descriptor)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(code, path, errno) }
        guard facts.st_uid == geteuid() else { throw .foreignOwner(code, path, facts.st_uid) }
        guard facts.st_mode & 0o022 == 0 else {
            throw VaultError(
                code,
                "Others than its owner may write to the folder \(path); take that from them (chmod go-w) and try again."
            )
        }
        return folder
    }

    /// Opens the folder, and makes it and the folders above it when they are not there: 0700, and durable.
    ///
    /// Throws: `.unwritable`.
    package static func made(_ path: String) throws(VaultError) -> PrivateFolder {
        if let folder = try opened(path, failing: .unwritable) { return folder }
        try make(path)
        guard let folder = try opened(path, failing: .unwritable) else {
            throw .system(.unwritable, path, ENOENT)
        }
        return folder
    }

    /// Makes what was renamed or made in the folder durable.
    package func synchronize() throws(VaultError) {
        try Self.synchronize(descriptor, path)
    }

    deinit { close(descriptor) }

    private static func make(_ path: String) throws(VaultError) {
        if mkdir(path, 0o700) == 0 {
            let parent = parent(of: path)
            let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            // A folder that may be written to and not read cannot be made durable; the next one can.
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            return try synchronize(descriptor, parent)
        }
        let cause = errno
        switch cause {
        // Another process was faster.
        case EEXIST: return
        case ENOENT where parent(of: path) != path:
            try make(parent(of: path))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(.unwritable, path, errno) }
        default: throw .system(.unwritable, path, cause)
        }
    }

    private static func parent(of path: String) -> String {
        var parts = path.split(separator: "/")
        _ = parts.popLast()
        let joined = parts.joined(separator: "/")
        if path.hasPrefix("/") { return "/" + joined }
        return joined.isEmpty ? "." : joined
    }

    private static func synchronize(_ descriptor: Int32, _ path: String) throws(VaultError) {
        // Some file systems have no such thing for folders, and say EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(.unwritable, path, errno) }
    }
}

/// The right to change a record, held by one process and one thread at a time; it ends with the value, or the process.
package struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock, or fails at once.
    ///
    /// Throws: `.busy`, another process or thread holds it; `.unwritable`, its file cannot be made.
    package init(_ name: String, in folder: borrowing PrivateFolder) throws(VaultError) {
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
