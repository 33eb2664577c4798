#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension PrivateFolder {
    /// A step of ``replace(_:with:watching:)`` that has finished.
    package enum Step: Sendable, Equatable, CaseIterable {
        /// The new bytes are on disk under a temporary name.
        case written
        /// The temporary file has been renamed to the final name.
        case renamed
    }

    /// Reads a file that this user owns; `nil` if it doesn't exist.
    ///
    /// Throws: `.unreadable` if the file is a symbolic link, isn't a regular file, or belongs to another user.
    /// `.corrupted` if it is longer than `limit` bytes.
    package func read(_ name: String, limit: Int) throws(VaultError) -> [UInt8]? {
        let file = "\(path)/\(name)"
        // Without O_NONBLOCK, opening a named pipe would block until a writer appears.
        let opened = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            let cause = errno
            if cause == ENOENT { return nil }
            throw cause == ELOOP ? .noFile(.unreadable, file) : .system(.unreadable, file, cause)
        }
        defer { close(opened) }
        let length = try Self.length(of: opened, file, .unreadable)
        guard length <= limit else {
            throw VaultError(.corrupted, "\(file) is larger than such a file can be. Remove it and try again.")
        }
        // Asks for one byte more than the file's length, so that a file that is growing is noticed.
        return try Self.read(opened, at: 0, count: length + 1, file)
    }

    /// Replaces a file atomically, or creates it.
    ///
    /// When this returns, the new bytes are durable. After a crash at any earlier point, the file holds either the old
    /// bytes or the new ones, never a mixture. The caller must hold the ``FileLock``.
    ///
    /// Throws: `.unwritable`. The file then normally still holds the old bytes; if only the final sync failed, it holds
    /// the new ones.
    package func replace(_ name: String, with bytes: [UInt8], watching: (Step) -> Void = { _ in }) throws(VaultError) {
        let file = "\(path)/\(name)"
        let temporary = "\(name).new"
        // Removes a temporary file that a killed process left behind.
        unlinkat(descriptor, temporary, 0)
        let opened = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .system(.unwritable, file, errno) }
        do throws(VaultError) {
            defer { close(opened) }
            try Self.write(bytes, to: opened, at: 0, file)
            // The umask may have cleared permissions that the owner needs.
            guard fchmod(opened, 0o600) == 0, makeDurable(opened) else { throw .system(.unwritable, file, errno) }
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
        watching(.written)
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let cause = errno
            unlinkat(descriptor, temporary, 0)
            throw .system(.unwritable, file, cause)
        }
        watching(.renamed)
        try synchronize()
    }

    /// Removes a file durably; a missing file isn't an error.
    ///
    /// The caller must hold the ``FileLock``.
    ///
    /// Throws: `.unwritable`.
    package func remove(_ name: String) throws(VaultError) {
        guard unlinkat(descriptor, name, 0) == 0 else {
            if errno == ENOENT { return }
            throw .system(.unwritable, "\(path)/\(name)", errno)
        }
        try synchronize()
    }

    /// The length of an open file in bytes, after checking that it is a regular file and belongs to this user.
    ///
    /// Throws: an error with the given code if one of these checks fails.
    package static func length(of opened: Int32, _ file: String, _ code: VaultError.Code) throws(VaultError) -> Int {
        var facts = stat()
        guard fstat(opened, &facts) == 0 else { throw .system(code, file, errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .noFile(code, file) }
        guard facts.st_uid == geteuid() else { throw .foreignOwner(code, file, facts.st_uid) }
        return Int(facts.st_size)
    }

    /// Reads up to `count` bytes of an open file, starting at `offset`; returns fewer at the end of the file.
    ///
    /// Throws: `.unreadable`.
    package static func read(
        _ opened: Int32, at offset: Int, count: Int, _ file: String
    ) throws(VaultError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { room in
                pread(opened, room.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw .system(.unreadable, file, errno)
            }
            if got == 0 { break }
            filled += got
        }
        return filled == count ? bytes : Array(bytes.prefix(filled))
    }

    /// Writes bytes to an open file, starting at `offset`, without making them durable.
    ///
    /// Throws: `.unwritable`; some of the bytes may have been written.
    package static func write(
        _ bytes: [UInt8], to opened: Int32, at offset: Int, _ file: String
    ) throws(VaultError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                pwrite(opened, $0.baseAddress, $0.count, off_t(offset + written))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(.unwritable, file, errno)
            }
            written += count
        }
    }
}

/// Flushes an open file to permanent storage and returns whether that succeeded.
package func makeDurable(_ opened: Int32) -> Bool {
    #if canImport(Darwin)
        // On Darwin, fsync doesn't flush the drive's own cache. File systems without F_FULLFSYNC get the weaker call.
        if fcntl(opened, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(opened) == 0
}
