#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// An open file or folder, which is closed when nothing refers to it any more.
package final class FileDescriptor: Sendable {
    /// The system's number of the descriptor, valid while this object exists.
    package let number: Int32

    /// Takes ownership of an open descriptor.
    package init(taking number: Int32) { self.number = number }

    /// Opens a file or folder at a path.
    ///
    /// - Parameters:
    ///   - flags: The flags of `open(2)`; programs that this one starts never inherit the descriptor.
    ///   - mode: The permissions of a file that is created, less those in the umask.
    package convenience init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(Errno) {
        try self.init(unsafe open(path, flags | O_CLOEXEC, mode))
    }

    /// Opens a file or folder by its name in an open folder.
    ///
    /// A symbolic link that is swapped in along the folder's path has no effect.
    package convenience init(
        opening name: String, in folder: FileDescriptor, _ flags: Int32, mode: mode_t = 0
    ) throws(Errno) {
        try self.init(unsafe openat(folder.number, name, flags | O_CLOEXEC, mode))
    }

    /// Opens a folder in order to replace files in it; this user may lack the permission to list it.
    package static func folder(at path: String) throws(Errno) -> FileDescriptor {
        do throws(Errno) {
            return try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
        } catch {
            #if !canImport(Darwin)
                // O_PATH, which the C library's module doesn't declare.
                let asLocation: Int32 = 0o10_000_000
                if error.rawValue == EACCES { return try FileDescriptor(opening: path, asLocation | O_DIRECTORY) }
            #endif
            throw error
        }
    }

    private init(_ opened: Int32) throws(Errno) {
        guard opened >= 0 else { throw .current }
        number = opened
    }

    deinit { close(number) }

    /// The file's kind, size, owner and permissions.
    package func status() throws(Errno) -> stat {
        var facts = stat()
        guard unsafe fstat(number, &facts) == 0 else { throw .current }
        return facts
    }

    /// Waits until the file's bytes are on permanent storage.
    package func synchronize() throws(Errno) {
        #if canImport(Darwin)
            // On Darwin, fsync doesn't flush the drive's own cache. File systems without F_FULLFSYNC get the weaker
            // call.
            if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(number) == 0 else { throw .current }
    }

    /// Waits until the names of the files in this folder are on permanent storage.
    package func synchronizeNames() throws(Errno) {
        // Some file systems can't sync folders and report EINVAL.
        guard fsync(number) == 0 || errno == EINVAL else { throw .current }
    }
}
