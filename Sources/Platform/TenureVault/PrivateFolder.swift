package import TenureFiles

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
    package let folder: FileDescriptor

    private init(path: String, folder: FileDescriptor) {
        self.path = path
        self.folder = folder
    }

    /// Opens the folder; `nil` if it doesn't exist.
    ///
    /// Throws: the given code if the path can't be opened, isn't a folder (a symbolic link isn't followed), belongs to
    /// another user, or is writable by other users.
    package static func opened(_ path: String, failing code: VaultError.Code) throws(VaultError) -> PrivateFolder? {
        let folder: FileDescriptor
        let facts: stat
        do throws(Errno) {
            folder = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            facts = try folder.status()
        } catch {
            switch error.rawValue {
            case ENOENT: return nil
            case ELOOP, ENOTDIR: throw .noFolder(code, path)
            default: throw .system(code, path, error)
            }
        }
        guard facts.st_uid == geteuid() else { throw .foreignOwner(code, path, facts.st_uid) }
        guard facts.st_mode & 0o022 == 0 else {
            throw VaultError(
                code,
                "Users other than its owner may write to the folder \(path). Run `chmod go-w` on it, then try again."
            )
        }
        return PrivateFolder(path: path, folder: folder)
    }

    /// Opens the folder; creates it and its parents durably with mode 0700 if they're missing.
    ///
    /// Throws: `.unwritable`.
    package static func creating(_ path: String) throws(VaultError) -> PrivateFolder {
        if let folder = try opened(path, failing: .unwritable) { return folder }
        try make(path)
        guard let folder = try opened(path, failing: .unwritable) else {
            throw .system(.unwritable, path, Errno(ENOENT))
        }
        return folder
    }

    /// Makes files that were created, renamed or removed in the folder durable.
    ///
    /// Throws: `.unwritable`.
    package func synchronize() throws(VaultError) {
        try Self.synchronize(folder, path)
    }

    private static func make(_ path: String) throws(VaultError) {
        if mkdir(path, 0o700) == 0 {
            let parent = parent(of: path)
            // A parent that is writable but not readable can't be opened to sync it. The new folder itself can.
            guard let folder = try? FileDescriptor(opening: parent, O_RDONLY | O_DIRECTORY) else { return }
            return try synchronize(folder, parent)
        }
        let cause = Errno.current
        switch cause.rawValue {
        // Another process created the folder first.
        case EEXIST: return
        case ENOENT where parent(of: path) != path:
            try make(parent(of: path))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(.unwritable, path, .current) }
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

    private static func synchronize(_ folder: FileDescriptor, _ path: String) throws(VaultError) {
        do throws(Errno) {
            try folder.synchronizeNames()
        } catch {
            throw .system(.unwritable, path, error)
        }
    }
}

/// An exclusive lock on a record, held by one thread of one process at a time.
///
/// It is released when the value is destroyed or the process ends.
package struct FileLock: ~Copyable {
    private let file: FileDescriptor

    /// Acquires the lock, or fails at once.
    ///
    /// Throws: `.busy` if another process or thread holds it; `.unwritable` if the lock file can't be created or
    /// locked, or isn't a regular file of this user.
    package init(_ name: String, in folder: borrowing PrivateFolder) throws(VaultError) {
        let path = "\(folder.path)/\(name)"
        let opened: FileDescriptor
        do throws(Errno) {
            opened = try FileDescriptor(
                opening: name, in: folder.folder, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        } catch {
            throw error.rawValue == ELOOP ? .noFile(.unwritable, path) : .system(.unwritable, path, error)
        }
        _ = try PrivateFolder.length(of: opened, path, .unwritable)
        switch opened.tryLock() {
        case .acquired: break
        case .busy: throw VaultError(.busy, "Another process is using \(path).")
        case .failed(let cause):
            // The file system has no locks. Go on without one, since each write still replaces the whole record. Losing
            // a concurrent update is better than locking a user out of a license.
            guard [ENOLCK, EOPNOTSUPP, ENOSYS].contains(cause.rawValue) else {
                throw .system(.unwritable, path, cause)
            }
        }
        file = opened
    }
}
