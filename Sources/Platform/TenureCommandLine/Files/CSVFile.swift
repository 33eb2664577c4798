package import Glibc

/// A new file of comma-separated values (RFC 4180) that only its owner can read, because it may hold license keys.
package struct CSVFile {
    private let file: NewFile

    /// Creates the file; throws if it already exists.
    package init(creating path: String) throws(CommandError) {
        file = try NewFile(creating: path)
    }

    package var path: String { file.path }

    package func write(row cells: [String]) throws(CommandError) {
        try file.write(
            CSVRow.text(of: cells),
            loss: "The licenses being written were not issued.")
    }

    /// Waits until the written rows are on disk.
    package func sync() throws(CommandError) { try file.sync() }

    /// The number of written bytes.
    package var size: off_t { file.size }

    /// Truncates the file to a size.
    package func cut(to size: off_t) { file.cut(to: size) }

    /// Removes the file, so that the next attempt can use its name.
    package func remove() { file.remove() }
}
