#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The notes: one line each, in a text file that other programs can read.
struct NotesFile {
    private let url: URL

    init(folder: String) {
        url = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "notes.txt")
    }

    /// Reads all notes, oldest first; none if there is no file yet.
    func read() throws(Complaint) -> [String] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        do {
            return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
        } catch {
            throw Complaint("Your notes in \(url.path) cannot be read.")
        }
    }

    /// Writes all notes atomically.
    func write(_ notes: [String]) throws(Complaint) {
        try Self.write(notes, to: url)
    }

    /// Writes a copy for another program.
    static func write(_ notes: [String], to url: URL) throws(Complaint) {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data(notes.map { $0 + "\n" }.joined().utf8).write(to: url, options: .atomic)
        } catch {
            throw Complaint("\(url.path) cannot be written; nothing was changed.")
        }
    }
}
