package import TenureFiles

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension PrivateFolder {
    /// Reads a file that this user owns; `nil` if it doesn't exist.
    ///
    /// Throws: `.unreadable` if the file can't be read, is a symbolic link, isn't a regular file, or belongs to another
    /// user. `.corrupted` if it is longer than `limit` bytes.
    package func read(_ name: String, limit: Int) throws(VaultError) -> [UInt8]? {
        let path = "\(path)/\(name)"
        // Without O_NONBLOCK, opening a named pipe would block until a writer appears.
        guard let file = try file(name, O_RDONLY | O_NONBLOCK) else { return nil }
        let length = try Self.length(of: file, path, .unreadable)
        guard length <= limit else {
            throw VaultError(.corrupted, "\(path) is larger than such a file can be. Remove it and try again.")
        }
        do throws(Errno) {
            // Asks for one byte more than the file's length, so that a file that is growing is noticed.
            return try file.read(at: 0, count: length + 1)
        } catch {
            throw .system(.unreadable, path, error)
        }
    }

    /// Opens a file without following a symbolic link; `nil` if it doesn't exist.
    ///
    /// Throws: `.unreadable`.
    package func file(_ name: String, _ flags: Int32) throws(VaultError) -> FileDescriptor? {
        do throws(Errno) {
            return try FileDescriptor(opening: name, in: folder, flags | O_NOFOLLOW)
        } catch {
            if error.rawValue == ENOENT { return nil }
            let file = "\(path)/\(name)"
            throw error.rawValue == ELOOP ? .noFile(.unreadable, file) : .system(.unreadable, file, error)
        }
    }

    /// Replaces a file atomically, or creates it.
    ///
    /// When this returns, the new bytes are durable. After a crash at any earlier point, the file holds either the old
    /// bytes or the new ones, never a mixture. The caller must hold the ``FileLock``.
    ///
    /// Throws: `.unwritable`. The file then normally still holds the old bytes; if only the final sync failed, it holds
    /// the new ones.
    package func replace(
        _ name: String, with bytes: [UInt8], watching: (FileReplacement.Step) -> Void = { _ in }
    ) throws(VaultError) {
        do throws(FileReplacement.Failure) {
            try folder.replace(name, by: bytes, temporary: "\(name).new", watching: watching)
        } catch {
            switch error {
            case .notCreated(let cause), .notWritten(let cause): throw .system(.unwritable, "\(path)/\(name)", cause)
            case .notDurable(let cause): throw .system(.unwritable, path, cause)
            }
        }
    }

    /// Removes a file durably; a missing file isn't an error.
    ///
    /// The caller must hold the ``FileLock``.
    ///
    /// Throws: `.unwritable`.
    package func remove(_ name: String) throws(VaultError) {
        guard unlinkat(folder.number, name, 0) == 0 else {
            if errno == ENOENT { return }
            throw .system(.unwritable, "\(path)/\(name)", .current)
        }
        try synchronize()
    }

    /// The length of an open file in bytes, after checking that it is a regular file and belongs to this user.
    ///
    /// Throws: an error with the given code if one of these checks fails.
    package static func length(
        of file: FileDescriptor, _ path: String, _ code: VaultError.Code
    ) throws(VaultError) -> Int {
        let facts: stat
        do throws(Errno) {
            facts = try file.status()
        } catch {
            throw .system(code, path, error)
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .noFile(code, path) }
        guard facts.st_uid == geteuid() else { throw .foreignOwner(code, path, facts.st_uid) }
        return Int(facts.st_size)
    }
}
