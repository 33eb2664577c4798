import Glibc
import TenureCommandLine
import TenureRights

/// A file that was not there before, readable by its owner alone: what is written here may be secret.
struct NewFile {
    let path: String
    private let descriptor: Int32

    /// Makes the file; refuses one that is there already.
    init(creating path: String) throws(CommandError) {
        self.path = path
        descriptor = CallersFiles.open { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else {
            throw CommandError(
                errno == EEXIST
                    ? "\(path) exists already; name a new file."
                    : "\(path) cannot be made: \(DataFolder.reason(errno)).")
        }
    }

    /// Writes at the end; `loss` tells what the caller has to do about a failure.
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

    /// Waits until what was written is on disk.
    func sync() throws(CommandError) {
        guard fsync(descriptor) == 0 else { throw CommandError("Writing \(path) failed: \(DataFolder.reason(errno)).") }
    }

    /// Bytes that were written.
    var size: off_t { lseek(descriptor, 0, SEEK_CUR) }

    /// Takes back what was written beyond a size; where that fails it stays, and `--check` tells of it.
    func cut(to size: off_t) {
        if ftruncate(descriptor, size) == 0 { lseek(descriptor, size, SEEK_SET) }
    }

    /// Takes the file back, so that its name is free for the next attempt.
    func remove() { CallersFile.remove(path) }
}

/// A new file of comma-separated values (RFC 4180), readable by its owner alone: it may hold license keys.
struct CSVFile {
    private let file: NewFile

    /// Makes the file; refuses one that is there already.
    init(creating path: String) throws(CommandError) {
        file = try NewFile(creating: path)
    }

    var path: String { file.path }

    func write(row cells: [String]) throws(CommandError) {
        try file.write(
            CSVRow.text(of: cells),
            loss: "No license was issued for what was being written.")
    }

    /// Waits until what was written is on disk.
    func sync() throws(CommandError) { try file.sync() }

    /// Bytes that were written.
    var size: off_t { file.size }

    /// Takes back what was written beyond a size.
    func cut(to size: off_t) { file.cut(to: size) }

    /// Takes the file back, so that its name is free for the next attempt.
    func remove() { file.remove() }
}
