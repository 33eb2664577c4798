package import Glibc

/// A newly created file that only its owner can read, because it may hold secrets.
package struct NewFile {
    package let path: String
    private let descriptor: Int32

    /// Creates the file; throws if it already exists.
    package init(creating path: String) throws(CommandError) {
        self.path = path
        descriptor = CallersFiles.open { unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else {
            throw CommandError(
                errno == EEXIST
                    ? "\(path) already exists. Choose a new file."
                    : "\(path) cannot be created: \(CallersFile.reason(errno)).")
        }
        // Without this, the same command started twice would continue a file that is being written.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    /// Opens a file that was created before, at its end; throws if it doesn't exist or another process writes to it.
    package init(continuing path: String) throws(CommandError) {
        self.path = path
        descriptor = CallersFiles.open { unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else {
            throw CommandError("\(path) cannot be opened: \(CallersFile.reason(errno)).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw CommandError("Another command is writing to \(path). Wait until it has ended.")
        }
        lseek(descriptor, 0, SEEK_END)
    }

    /// Appends text; `loss` is the hint for the user if writing fails.
    package func write(_ text: String, loss: String) throws(CommandError) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 || errno == EINTR else {
                throw CommandError("Writing \(path) failed: \(CallersFile.reason(errno)). \(loss)")
            }
            written += max(0, count)
        }
    }

    /// Waits until the written text is on disk.
    package func sync() throws(CommandError) {
        guard fsync(descriptor) == 0 else {
            throw CommandError("Writing \(path) failed: \(CallersFile.reason(errno)).")
        }
    }

    /// The number of written bytes.
    package var size: off_t { lseek(descriptor, 0, SEEK_CUR) }

    /// Truncates the file to a size.
    ///
    /// If that fails, the extra rows stay, and `--check` reports them.
    package func cut(to size: off_t) {
        if ftruncate(descriptor, size) == 0 { lseek(descriptor, size, SEEK_SET) }
    }

    /// Removes the file, so that the next attempt can use its name.
    package func remove() { CallersFile.remove(path) }
}
