import Glibc
package import TenureFiles

/// Accesses files that the user of a command has named and that the data folder's owner may be unable to read.
package enum CallersFile {
    /// Reads at most `limit` bytes of a file; throws ``Errno`` if it can't be opened or read.
    package static func bytes(of path: String, limit: Int = .max) throws(Errno) -> [UInt8] {
        try opened(path, O_RDONLY).read(upTo: limit)
    }

    /// Reads standard input to its end; throws ``Errno`` if that fails.
    package static func standardInput() throws(Errno) -> [UInt8] {
        let copy = dup(STDIN_FILENO)
        guard copy >= 0 else { throw .current }
        return try FileDescriptor(taking: copy).read()
    }

    private static func opened(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(Errno) -> FileDescriptor {
        try CallersFiles.open { () throws(Errno) in try FileDescriptor(opening: path, flags, mode: mode) }
    }

    /// Returns the text of a file; `nil` if it isn't UTF-8. Throws ``Errno`` if the file can't be opened or read.
    package static func text(of path: String) throws(Errno) -> String? {
        String(validating: try bytes(of: path), as: UTF8.self)
    }

    /// Copies a file to a new one, and waits until the copy is on disk.
    ///
    /// Both are opened as the user who runs the command. If the copy fails, throws ``Errno`` and leaves no partial
    /// file.
    package static func copy(_ path: String, to other: String, report: (Int) -> Void = { _ in }) throws(Errno) {
        let source = try opened(path, O_RDONLY)
        let target = try opened(other, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        while true {
            let count = sendfile(target.number, source.number, nil, 1 << 20)
            if count < 0, errno == EINTR { continue }
            if count == 0, fsync(target.number) == 0 { return }
            guard count > 0 else {
                let cause = Errno.current
                remove(other)
                throw cause
            }
            report(count)
        }
    }

    package static func exists(_ path: String) -> Bool {
        // `access` checks the process's real user, not the rights of this thread.
        CallersFiles.open {
            var facts = stat()
            return unsafe stat(path, &facts)
        } == 0
    }

    /// Removes a file if possible; failures are ignored.
    package static func remove(_ path: String) { CallersFiles.open { _ = unsafe unlink(path) } }

    /// The system's message for an error number.
    package static func reason(_ number: Int32) -> String { Errno(number).description }
}
