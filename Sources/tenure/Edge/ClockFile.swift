import Foundation

/// The file that moves a virtual clock: a whole number of seconds on a line.
struct ClockFile {
    let path: String

    /// The offset, nil when the file holds none.
    var offset: Int64? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return Int64(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Replaces the offset; whoever reads meanwhile sees the old one or the new one.
    func set(_ offset: Int64) throws(CommandError) {
        do {
            try Data("\(offset)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CommandError("The clock file \(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Moves the clock on by so many seconds.
    func advance(by seconds: Int64) throws(CommandError) {
        guard let offset else {
            throw CommandError(
                "The clock file \(path) must hold a whole number of seconds; write one with `echo 0 > FILE`.")
        }
        try set(offset.addingReportingOverflow(seconds).partialValue)
    }
}
