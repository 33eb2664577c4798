package import Glibc

/// A new file of comma-separated values (RFC 4180) that only its owner can read, because it may hold license keys.
package struct CSVFile {
    private let file: NewFile

    /// Creates the file with a first line that names its columns; throws if it already exists.
    ///
    /// If the line can't be written, the file is removed, so that the same command can be repeated.
    ///
    /// - Parameter isMarked: Whether the file begins with a byte order mark, without which some spreadsheets don't read
    ///   it as UTF-8.
    package init(creating path: String, columns: [String], isMarked: Bool) throws(CommandError) {
        file = try NewFile(creating: path)
        do {
            try file.write((isMarked ? "\u{FEFF}" : "") + CSVRow.text(of: columns), loss: "Nothing was issued.")
        } catch {
            file.remove()
            throw error
        }
    }

    /// Opens a file that an earlier command created, to append rows; throws if it doesn't exist or is in use.
    ///
    /// A row that was being written when that command ended is removed. Returns the text of the complete rows.
    package static func continuing(_ path: String) throws(CommandError) -> (file: CSVFile, text: String) {
        let file = try NewFile(continuing: path)
        let bytes: [UInt8]
        do {
            bytes = try CallersFile.bytes(of: path)
        } catch {
            throw CommandError("\(path) cannot be read: \(error).")
        }
        let complete = bytes[..<(bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)]
        guard let text = String(validating: complete, as: UTF8.self) else {
            throw CommandError("\(path) isn't UTF-8, so this program didn't write it. Choose a new file.")
        }
        file.cut(to: off_t(complete.count))
        return (CSVFile(file: file), text)
    }

    private init(file: NewFile) { self.file = file }

    package var path: String { file.path }

    package func write(row cells: [String]) throws(CommandError) {
        try file.write(
            CSVRow.text(of: cells),
            loss: "The licenses being written were not issued.")
    }

    /// Waits until the written rows are on disk.
    package func sync() throws(CommandError) { try file.sync() }

    /// The size of the file in bytes.
    package var size: off_t { file.size }

    /// Truncates the file to a size.
    package func cut(to size: off_t) { file.cut(to: size) }

    /// Removes the file, so that the next attempt can use its name.
    package func remove() { file.remove() }
}
