import Glibc
import TenureRights

/// A file that whoever runs a command has named, which may lie where the owner of the data folder cannot look.
enum CallersFile {
    /// Why it cannot be read.
    struct Fault: Error, CustomStringConvertible {
        let number: Int32
        /// The system's own words.
        var description: String { DataFolder.reason(number) }
    }

    /// Its bytes, of a longer file as many as the limit. Throws ``Fault``.
    static func bytes(of path: String, limit: Int = .max) throws(Fault) -> [UInt8] {
        let descriptor = CallersFiles.open { Glibc.open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw Fault(number: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            var buffer = [UInt8](repeating: 0, count: min(64 << 10, limit - bytes.count))
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Fault(number: errno) }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    /// Its bytes as text; nil when they are none. Throws ``Fault``.
    static func text(of path: String) throws(Fault) -> String? {
        String(validating: try bytes(of: path), as: UTF8.self)
    }

    /// Copies a file to another that must not be there, and waits until the copy is on disk. Both are opened as whoever
    /// runs the command. Throws ``Fault``, and leaves no half copy.
    static func copy(_ path: String, to other: String, report: (Int) -> Void = { _ in }) throws(Fault) {
        let source = CallersFiles.open { Glibc.open(path, O_RDONLY | O_CLOEXEC) }
        guard source >= 0 else { throw Fault(number: errno) }
        defer { close(source) }
        let target = CallersFiles.open { Glibc.open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
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

    /// Whether something is there.
    static func exists(_ path: String) -> Bool {
        // `access` would ask for the user alone, and not for what the thread may do.
        CallersFiles.open {
            var facts = stat()
            return stat(path, &facts)
        } == 0
    }

    /// Takes a file away.
    static func remove(_ path: String) { CallersFiles.open { _ = unlink(path) } }
}
