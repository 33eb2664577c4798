import Glibc
import TenureCommandLine

/// A newly created file that only its owner can read, because it may hold secrets.
struct NewFile {
    let path: String
    private let descriptor: Int32

    /// Creates the file; throws if it already exists.
    init(creating path: String) throws(CommandError) {
        self.path = path
        descriptor = CallersFiles.open { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else {
            throw CommandError(
                errno == EEXIST
                    ? "\(path) already exists. Choose a new file."
                    : "\(path) cannot be created: \(DataFolder.reason(errno)).")
        }
    }

    /// Appends text; `loss` is the hint for the user if writing fails.
    func write(_ text: String, loss: String) throws(CommandError) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else {
                throw CommandError("Writing \(path) failed: \(DataFolder.reason(errno)). \(loss)")
            }
            written += max(0, count)
        }
    }

    /// Waits until the written text is on disk.
    func sync() throws(CommandError) {
        guard fsync(descriptor) == 0 else { throw CommandError("Writing \(path) failed: \(DataFolder.reason(errno)).") }
    }

    /// The number of written bytes.
    var size: off_t { lseek(descriptor, 0, SEEK_CUR) }

    /// Truncates the file to a size.
    ///
    /// If that fails, the extra rows stay, and `--check` reports them.
    func cut(to size: off_t) {
        if ftruncate(descriptor, size) == 0 { lseek(descriptor, size, SEEK_SET) }
    }

    /// Removes the file, so that the next attempt can use its name.
    func remove() { CallersFile.remove(path) }
}

/// A new file of comma-separated values (RFC 4180) that only its owner can read, because it may hold license keys.
struct CSVFile {
    private let file: NewFile

    /// Creates the file; throws if it already exists.
    init(creating path: String) throws(CommandError) {
        file = try NewFile(creating: path)
    }

    var path: String { file.path }

    func write(row cells: [String]) throws(CommandError) {
        try file.write(
            CSVRow.text(of: cells),
            loss: "The licenses being written were not issued.")
    }

    /// Waits until the written rows are on disk.
    func sync() throws(CommandError) { try file.sync() }

    /// The number of written bytes.
    var size: off_t { file.size }

    /// Truncates the file to a size.
    func cut(to size: off_t) { file.cut(to: size) }

    /// Removes the file, so that the next attempt can use its name.
    func remove() { file.remove() }
}
