import Glibc

/// Accesses files that the user of a command has named and that the data folder's owner may be unable to read.
package enum CallersFile {
    /// Why the file can't be read or written.
    package struct Fault: Error, CustomStringConvertible {
        package let number: Int32
        /// The system's error message.
        package var description: String { CallersFile.reason(number) }
    }

    /// Reads at most `limit` bytes of a file; throws ``Fault`` if it can't be opened or read.
    package static func bytes(of path: String, limit: Int = .max) throws(Fault) -> [UInt8] {
        let descriptor = CallersFiles.open { unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw Fault(number: errno) }
        defer { close(descriptor) }
        return try bytes(of: descriptor, limit: limit)
    }

    /// Reads standard input to its end; throws ``Fault``.
    package static func standardInput() throws(Fault) -> [UInt8] { try bytes(of: STDIN_FILENO, limit: .max) }

    private static func bytes(of descriptor: Int32, limit: Int) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            var buffer = [UInt8](repeating: 0, count: min(64 << 10, limit - bytes.count))
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Fault(number: errno) }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    /// Reads the file as UTF-8; returns `nil` if it's invalid, and throws ``Fault``.
    package static func text(of path: String) throws(Fault) -> String? {
        String(validating: try bytes(of: path), as: UTF8.self)
    }

    /// Copies a file to a new one, and waits until the copy is on disk.
    ///
    /// Both are opened as the user who runs the command. Throws ``Fault`` and leaves no partial copy.
    package static func copy(_ path: String, to other: String, report: (Int) -> Void = { _ in }) throws(Fault) {
        let source = CallersFiles.open { unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC) }
        guard source >= 0 else { throw Fault(number: errno) }
        defer { close(source) }
        let target = CallersFiles.open { unsafe Glibc.open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard target >= 0 else { throw Fault(number: errno) }
        defer { close(target) }
        while true {
            let count = sendfile(target, source, nil, 1 << 20)
            if count < 0, errno == EINTR { continue }
            if count == 0, fsync(target) == 0 { return }
            guard count > 0 else {
                let number = errno
                remove(other)
                throw Fault(number: number)
            }
            report(count)
        }
    }

    /// Whether the path exists.
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
    package static func reason(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
}
