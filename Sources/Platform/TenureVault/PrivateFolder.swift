#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An open folder that only this user can write to.
///
/// Its files are opened relative to the folder's descriptor, so a symbolic link that is swapped in along the path has
/// no effect.
package struct PrivateFolder: ~Copyable {
    package let path: String
    /// The open file descriptor of the folder; valid for as long as the value lives.
    package let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens the folder; `nil` if it doesn't exist.
    ///
    /// Throws: the given code if the path isn't a folder (a symbolic link isn't followed), belongs to another user, or
    /// is writable by other users.
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
                "Users other than its owner may write to the folder \(path). Run `chmod go-w` on it, then try again."
            )
        }
        return folder
    }

    /// Opens the folder; creates it and its parents durably with mode 0700 if they're missing.
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

    /// Makes files that were created, renamed or removed in the folder durable.
    ///
    /// Throws: `.unwritable`.
    package func synchronize() throws(VaultError) {
        try Self.synchronize(descriptor, path)
    }

    deinit { close(descriptor) }

    private static func make(_ path: String) throws(VaultError) {
        if mkdir(path, 0o700) == 0 {
            let parent = parent(of: path)
            let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            // A parent that is writable but not readable can't be opened to sync it. The new folder itself can.
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            return try synchronize(descriptor, parent)
        }
        let cause = errno
        switch cause {
        // Another process created it first.
        case EEXIST: return
        case ENOENT where parent(of: path) != path:
            try make(parent(of: path))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(.unwritable, path, errno) }
        default: throw .system(.unwritable, path, cause)
        }
    }

    private static func parent(of path: String) -> String {
        var parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        _ = parts.popLast()
        let joined = parts.joined(separator: "/")
        if path.hasPrefix("/") { return "/" + joined }
        return joined.isEmpty ? "." : joined
    }

    private static func synchronize(_ descriptor: Int32, _ path: String) throws(VaultError) {
        // Some file systems can't sync folders and report EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(.unwritable, path, errno) }
    }
}

/// An exclusive lock on a record, held by one thread of one process at a time.
///
/// It is released when the value is destroyed or the process ends.
package struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Acquires the lock, or fails at once.
    ///
    /// Throws: `.busy` if another process or thread holds it; `.unwritable` if the lock file can't be created.
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
            case EWOULDBLOCK: throw VaultError(.busy, "Another process is using \(file).")
            // The file system has no locks. Go on without one, since each write still replaces the whole record. Losing
            // a concurrent update is better than locking a user out of a license.
            case ENOLCK, EOPNOTSUPP, ENOSYS: return
            default: throw .system(.unwritable, file, errno)
            }
        }
    }

    deinit { close(descriptor) }
}
