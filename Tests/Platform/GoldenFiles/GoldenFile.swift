import Foundation

/// A file in `Tests/Fixtures/golden` with bytes that a version of this code stored or sent.
///
/// Golden files are never changed: users' devices and databases contain such bytes. If a format gains a member, add a
/// file beside the old one, which must still be readable. `TENURE_WRITE_GOLDEN=1` writes the files that are missing.
public struct GoldenFile {
    private let url: URL

    /// Creates a reference to a file by its path within the folder. The file may be missing.
    public init(_ name: String) {
        url = URL.packageRoot.appending(path: "Tests/Fixtures/golden/\(name)")
    }

    /// Returns the bytes of the file. Throws if the file is missing.
    public func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

    /// Throws ``Difference`` unless the file has exactly these bytes.
    public func compare(_ bytes: [UInt8]) throws {
        try writeIfMissing(bytes)
        let golden = try self.bytes()
        guard golden != bytes else { return }
        throw Difference(
            file: url.lastPathComponent, golden: String(decoding: golden, as: UTF8.self),
            now: String(decoding: bytes, as: UTF8.self))
    }

    /// Writes the file if it doesn't exist and `TENURE_WRITE_GOLDEN` is set.
    public func writeIfMissing(_ bytes: [UInt8]) throws {
        guard !FileManager.default.fileExists(atPath: url.path),
            ProcessInfo.processInfo.environment["TENURE_WRITE_GOLDEN"] != nil
        else { return }
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Throws ``Difference`` unless the file has exactly these lines.
    public func compare(lines: [String]) throws {
        try compare(Array(lines.map { "\($0)\n" }.joined().utf8))
    }

    /// Returns the lines of the file, without empty lines. Throws if the file is missing.
    public func lines() throws -> [String] {
        String(decoding: try bytes(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The error for a golden file whose bytes the code no longer writes.
    public struct Difference: Error, CustomStringConvertible {
        let file, golden, now: String

        /// A message with the file's name, the advice and both texts.
        public var description: String {
            """
            The code writes other bytes than \(file), so it can't read what earlier versions stored. \
            Restore the stored names instead of changing the file.
            golden: \(golden)
            now:    \(now)
            """
        }
    }
}

/// Returns the paths of a sample's members that are `nil` or empty, because a golden file wouldn't cover them.
public func unsetMembers(of sample: Any) -> [String] { unset(sample, at: "") }

private func unset(_ value: Any, at path: String) -> [String] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
        guard let wrapped = mirror.children.first else { return [path] }
        return unset(wrapped.value, at: path)
    case .collection, .set, .dictionary:
        return mirror.children.isEmpty ? [path] : mirror.children.flatMap { unset($0.value, at: path + "[]") }
    default:
        return mirror.children.flatMap { unset($0.value, at: path + "." + ($0.label ?? "")) }
    }
}
