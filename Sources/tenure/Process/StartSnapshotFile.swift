import Glibc
import TenureCommandLine
import TenureCore
import TenureServerKit

/// The file in the data folder with the snapshot that lets the server start without its database.
struct StartSnapshotFile: Sendable {
    /// The file, which has at most 64 MiB; a server with thousands of tenants needs far less.
    let file: FolderFile

    /// Creates a reference to the file in a data folder.
    ///
    /// Returns `nil` if the master key is in that folder too, because a thief who copied the folder would get both.
    init?(in folder: String, masterKey: MasterKeyFile) {
        file = FolderFile("start-snapshot", in: folder, longest: 64 << 20)
        let folders = [folder, Self.parent(of: masterKey.path)].map { Self.resolved($0) + "/" }
        if folders[1].hasPrefix(folders[0]) { return nil }
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
}

extension StartSnapshot {
    /// The snapshot of a shared database, from its file in the data folder; `nil` for a store in the folder itself.
    ///
    /// Throws ``CommandError``.
    static func stored(
        of location: StoreLocation, by engines: StoreEngines, in folder: String, under master: MasterKey,
        from file: MasterKeyFile,
        warn: (String) -> Void
    ) throws -> StartSnapshot? {
        guard let database = try engines.identity(of: location) else { return nil }
        guard let snapshot = StartSnapshotFile(in: folder, masterKey: file) else {
            warn(
                "the server will not be able to start while the database is unreachable, because the master key is in the data folder. Move "
                    + "the key out of it to allow that.")
            return nil
        }
        return StartSnapshot(
            of: database, under: master, load: { snapshot.file.read() },
            save: { bytes in try snapshot.file.replace(by: bytes) }
        )
    }
}
