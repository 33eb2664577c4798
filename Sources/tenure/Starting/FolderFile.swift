import Glibc
import TenureCommandLine
import TenureServerKit

/// A small file in the data folder that only its owner can read, and that is replaced atomically.
struct FolderFile: Sendable {
    private let folder: String
    private let name: String
    private let longest: Int

    /// Creates a reference to the file.
    ///
    /// - Parameter longest: The size in bytes above which the file isn't read.
    init(_ name: String, in folder: String, longest: Int) {
        self.folder = folder
        self.name = name
        self.longest = longest
    }

    private var path: String { "\(folder)/\(name)" }

    /// Reads the file; returns `nil` if it doesn't exist.
    func read() -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = Glibc.read(descriptor, &chunk, chunk.count), count != 0 {
            if count < 0, errno == EINTR { continue }
            guard count > 0, bytes.count + count <= longest else { return nil }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Replaces the file atomically and syncs it; removes it for `nil`.
    ///
    /// If the server is killed, either the old or the new file remains.
    func replace(by bytes: [UInt8]?) throws(CommandError) {
        guard let bytes else {
            unlink(path)
            return
        }
        mkdir(folder, 0o700)
        let temporary = "\(path).\(getpid())"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError("\(temporary) cannot be created: \(DataFolder.reason(errno)).")
        }
        let isWritten = Self.write(bytes, to: descriptor) && fsync(descriptor) == 0
        let reason = DataFolder.reason(errno)
        close(descriptor)
        guard isWritten, rename(temporary, path) == 0 else {
            unlink(temporary)
            throw CommandError("\(path) cannot be written: \(reason).")
        }
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return }
        fsync(opened)
        close(opened)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
