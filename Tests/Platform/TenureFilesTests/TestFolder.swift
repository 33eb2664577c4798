import Foundation

/// An empty folder, which is removed at the end of a test.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tenure-files-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(filePath: path(name))) }

    func bytes(of name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map { Array($0) } }

    func mode(of name: String) -> mode_t {
        var facts = stat()
        return lstat(path(name), &facts) == 0 ? facts.st_mode & 0o7777 : 0
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}
