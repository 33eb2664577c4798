import Glibc
import TenureCommandLine
import TenureCore
import TenureServerKit

/// The file in the data folder with the snapshot that lets the server start without its database.
struct StartSnapshotFile: Sendable {
    private let folder: String

    /// Creates a reference to the file in a data folder.
    ///
    /// Returns `nil` if the master key is in that folder too, because a thief who copied the folder would get both.
    init?(in folder: String, masterKey: MasterKeyFile) {
        self.folder = folder
        let folders = [folder, Self.parent(of: masterKey.path)].map { Self.resolved($0) + "/" }
        if folders[1].hasPrefix(folders[0]) { return nil }
    }

    private var path: String { folder + "/start-snapshot" }

    /// Reads the file; returns `nil` if it doesn't exist.
    func read() -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = Glibc.read(descriptor, &chunk, chunk.count), count != 0 {
            if count < 0, errno == EINTR { continue }
            guard count > 0, bytes.count + count <= Self.longest else { return nil }
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

    private static func parent(of path: String) -> String {
        guard let folder = path.cut(atLastByte: "/")?.before else { return "." }
        return folder.isEmpty ? "/" : String(folder)
    }

    /// Resolves links and dots; returns the path unchanged if it doesn't exist.
    private static func resolved(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    /// The longest file that is read; a server with thousands of tenants needs far less.
    private static let longest = 64 << 20
}

extension StartSnapshot {
    /// The snapshot of a shared database, from its file in the data folder; `nil` for a store in the folder itself.
    ///
    /// Throws ``CommandError``.
    static func kept(
        of place: StoreLocation, by engines: StoreEngines, in folder: String, under master: MasterKey,
        from file: MasterKeyFile,
        warn: (String) -> Void
    ) throws -> StartSnapshot? {
        guard let database = try engines.identity(of: place) else { return nil }
        guard let kept = StartSnapshotFile(in: folder, masterKey: file) else {
            warn(
                "the server will not be able to start while the database is unreachable, because the master key is in the data folder. Move "
                    + "the key out of it to allow that.")
            return nil
        }
        return StartSnapshot(
            of: database, under: master, load: { kept.read() }, save: { bytes in try kept.replace(by: bytes) })
    }
}
