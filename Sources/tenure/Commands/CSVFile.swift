import Glibc

/// A new file of comma-separated values (RFC 4180), readable by its owner alone: it may hold license keys.
struct CSVFile {
    let path: String
    private let descriptor: Int32

    /// Makes the file; refuses one that is there already.
    init(creating path: String) throws(CommandError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError(
                errno == EEXIST
                    ? "\(path) exists already; name a new file."
                    : "\(path) cannot be made: \(DataFolder.reason(errno)).")
        }
    }

    func write(row cells: [String]) throws(CommandError) {
        let bytes = Array((cells.map(Self.escaped).joined(separator: ",") + "\n").utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else {
                throw CommandError(
                    "Writing \(path) failed: \(DataFolder.reason(errno)). The licenses of the last batch are issued; "
                        + "their keys are lost: revoke or rekey the ones that are missing from the file.")
            }
            written += max(0, count)
        }
    }

    /// Waits until what was written is on disk.
    func sync() throws(CommandError) {
        guard fsync(descriptor) == 0 else { throw CommandError("Writing \(path) failed: \(DataFolder.reason(errno)).") }
    }

    /// Takes the file back, so that its name is free for the next attempt.
    func remove() { unlink(path) }

    /// Quotes what needs it, and disarms what a spreadsheet would take for a formula.
    private static func escaped(_ cell: String) -> String {
        let disarmed = cell.first.map("=+-@\t\r".contains) == true ? "'" + cell : cell
        guard disarmed.contains(where: { ",\"\r\n".contains($0) }) else { return disarmed }
        return "\"" + disarmed.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
