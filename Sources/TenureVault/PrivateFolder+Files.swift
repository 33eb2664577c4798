#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension PrivateFolder {
    /// What has been done of replacing a file.
    package enum Step: Sendable, Equatable, CaseIterable {
        /// The new file is there under another name, and durable.
        case written
        /// It has the name.
        case renamed
    }

    /// Reads a file of this user's own; nil when there is none.
    ///
    /// Throws: `.unreadable` for a symbolic link, anything else that is no file, and another user's; `.corrupted` when it is
    /// longer than the limit.
    package func read(_ name: String, limit: Int) throws(VaultError) -> [UInt8]? {
        let file = "\(path)/\(name)"
        // Without O_NONBLOCK a pipe of that name would wait for somebody who writes.
        let opened = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            let cause = errno
            if cause == ENOENT { return nil }
            throw cause == ELOOP ? .noFile(.unreadable, file) : .system(.unreadable, file, cause)
        }
        defer { close(opened) }
        let length = try Self.length(of: opened, file, .unreadable)
        guard length <= limit else {
            throw VaultError(.corrupted, "\(file) is longer than any such file can be; remove it and try again.")
        }
        // One byte more than what is there shows that somebody appends, which nothing of ours does.
        return try Self.read(opened, at: 0, count: length + 1, file)
    }

    /// Replaces a file as a whole, or makes it: when this returns the new bytes are durable, and at every moment before
    /// there are the old ones or the new ones. Only the holder of a ``FileLock`` may call it.
    ///
    /// Throws: `.unwritable`; the old bytes are still there.
    package func replace(_ name: String, with bytes: [UInt8], watching: (Step) -> Void = { _ in }) throws(VaultError) {
        let file = "\(path)/\(name)"
        let temporary = "\(name).new"
        // What a process that was killed left behind.
        unlinkat(descriptor, temporary, 0)
        let opened = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .system(.unwritable, file, errno) }
        do throws(VaultError) {
            defer { close(opened) }
            try Self.write(bytes, to: opened, at: 0, file)
            // The mask of the process may have taken rights away that the owner needs.
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

    /// Removes a file durably; one that is not there is no error. Only the holder of a ``FileLock`` may call it.
    ///
    /// Throws: `.unwritable`; the file is still there.
    package func remove(_ name: String) throws(VaultError) {
        guard unlinkat(descriptor, name, 0) == 0 else {
            if errno == ENOENT { return }
            throw .system(.unwritable, "\(path)/\(name)", errno)
        }
        try synchronize()
    }

    /// The length of an open file, once it is known to be one, and this user's.
    package static func length(of opened: Int32, _ file: String, _ code: VaultError.Code) throws(VaultError) -> Int {
        var facts = stat()
        guard fstat(opened, &facts) == 0 else { throw .system(code, file, errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .noFile(code, file) }
        guard facts.st_uid == geteuid() else { throw .foreignOwner(code, file, facts.st_uid) }
        return Int(facts.st_size)
    }

    /// Reads so many bytes of an open file, from an offset on; fewer when it ends before.
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

    /// Writes bytes to an open file, from an offset on, over what is there; not durably.
    ///
    /// Throws: `.unwritable`; some of them may be there.
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

/// Makes what was written to an open file durable.
package func makeDurable(_ opened: Int32) -> Bool {
    #if canImport(Darwin)
        // There fsync stops at the disk's own memory; file systems that do not know the stronger call get the weaker one.
        if fcntl(opened, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(opened) == 0
}
