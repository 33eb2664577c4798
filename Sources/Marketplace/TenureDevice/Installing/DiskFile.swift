import Glibc

/// An open file with a position, at which it is read and written.
final class DiskFile: Sendable {
    private let descriptor: Int32

    /// Opens an existing file; `nil` if it can't be read.
    convenience init?(reading path: String) { self.init(open(path, O_RDONLY | O_CLOEXEC)) }

    /// Opens a file for reading and writing, and creates a missing one; `nil` if that fails.
    convenience init?(updating path: String) { self.init(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)) }

    private init?(_ descriptor: Int32) {
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The number of bytes in the file; 0 if the system doesn't report it.
    var size: Int64 {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    func goToStart() { lseek(descriptor, 0, SEEK_SET) }

    /// Reads the next bytes: none at the end of the file, and `nil` if reading fails.
    func read(upTo count: Int) -> [UInt8]? {
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let new = Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
                if new < 0, errno == EINTR { continue }
                hasFailed = new < 0
                if new <= 0 { return }
                filled += new
            }
        }
        return hasFailed ? nil : bytes
    }

    /// Writes bytes; returns the system's message if that fails.
    func write(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written >= 0 else { return String(cString: strerror(errno)) }
            rest = rest.dropFirst(written)
        }
        return nil
    }

    /// Truncates the file and continues at its new end; returns whether that succeeded.
    func cut(to count: Int64) -> Bool {
        ftruncate(descriptor, off_t(count)) == 0 && lseek(descriptor, off_t(count), SEEK_SET) == off_t(count)
    }
}
