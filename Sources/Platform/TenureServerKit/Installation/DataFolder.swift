import Glibc
package import TenureCommandLine
import TenureFiles

/// The folder of an installation, with the database, the master key and the server's lock.
package struct DataFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package var database: String { path + "/tenure.sqlite" }
    package var standardMasterKey: String { path + "/master.key" }
    package var lock: String { path + "/serve.lock" }

    /// Opens an existing folder as its owner.
    ///
    /// If the process runs as root, it switches to the folder's owner, so that the server can read every file in the
    /// folder. The process can still open other files that the user named (``CallersFiles``).
    ///
    /// Throws ``CommandError`` if there is no such folder, or if the process runs as a user who is neither root nor the
    /// owner.
    package static func existing(_ path: String) throws(CommandError) -> DataFolder {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            guard errno == ENOENT else {
                throw CommandError("The data folder \(path) cannot be opened: \(reason(errno)).")
            }
            throw CommandError("There is no data folder at \(path). Check the path, and that its volume is mounted.")
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            throw CommandError("\(path) is not a folder. Choose a folder with --data DIR.")
        }
        try become(owner: facts.st_uid, group: facts.st_gid, of: path)
        return DataFolder(path: path)
    }

    /// Opens a folder. Creates a missing folder with access for its owner only.
    package static func created(_ path: String) throws(CommandError) -> DataFolder {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw CommandError(
                "The data folder \(path) cannot be created: \(reason(errno)). Choose another with --data DIR, or create it and make this user its owner."
            )
        }
        return try existing(path)
    }

    private static func become(owner: uid_t, group: gid_t, of path: String) throws(CommandError) {
        let me = geteuid()
        if me == owner { return }
        guard me == 0 else {
            throw CommandError(
                "The data folder \(path) belongs to user \(owner), but this command runs as user \(me). Run it as the owner."
            )
        }
        let isOwner = CallersFiles.keep {
            // Sets the owner's supplementary groups, so that a socket can be assigned to one of them.
            let areGroupsSet =
                if let name = getpwuid(owner)?.pointee.pw_name {
                    initgroups(name, group) == 0
                } else {
                    setgroups(0, nil) == 0
                }
            return areGroupsSet && setgid(group) == 0 && setuid(owner) == 0
        }
        guard isOwner else {
            throw CommandError(
                "Switching to user \(owner), the owner of \(path), failed: \(reason(errno)). Run the command as that user."
            )
        }
    }

    /// Takes the folder's lock, which one server, restore or copy may hold at a time, until the process ends.
    ///
    /// - Parameter message: The error message if another process holds the lock.
    package func takeLock(orElse message: String? = nil) throws(CommandError) {
        let file: FileDescriptor
        do throws(Errno) {
            file = try FileDescriptor(opening: lock, O_RDWR | O_CREAT, mode: 0o600)
        } catch {
            throw CommandError(
                "The lock file \(lock) cannot be opened: \(Self.reason(error.rawValue)). Check its owner and mode.")
        }
        guard file.tryLock() == .acquired else {
            throw CommandError(
                message
                    ?? "Another server is running on \(path). Stop it first, or choose another folder with --data DIR.")
        }
        // The file is never closed, because closing it would release the lock.
        _ = Unmanaged.passRetained(file)
    }

    /// Whether a server, a restore or a copy is running on the folder.
    var isServed: Bool {
        guard let file = try? FileDescriptor(opening: lock, O_RDWR) else { return false }
        return file.tryLock() != .acquired
    }

    package static func reason(_ number: Int32) -> String { CallersFile.reason(number) }
}

extension DataFolder {
    /// Opens the folder of an existing installation as its owner. Throws if the folder has no database.
    ///
    /// Without this check, a mistyped path or a volume that isn't mounted would look like a new installation.
    package static func installed(_ path: String) throws(CommandError) -> DataFolder {
        var facts = stat()
        if stat(path, &facts) != 0, errno == ENOENT { throw withoutDatabase(path, "the folder doesn't exist") }
        let folder = try existing(path)
        switch folder.contents {
        case .database: return folder
        case .nothing: throw withoutDatabase(path, "the folder is empty")
        case .otherFiles: throw withoutDatabase(path, "the folder has no file tenure.sqlite")
        case .emptyFile: throw withoutDatabase(path, "its file tenure.sqlite has no bytes")
        }
    }

    /// Opens a folder in which an installation may be created. Throws if the folder's database has been lost.
    ///
    /// If the database is missing, SQLite would delete the write-ahead log, which has the only copy of its changes.
    package static func prepared(_ path: String) throws(CommandError) -> DataFolder {
        let folder = try created(path)
        if folder.contents != .database, bytes(of: folder.database + "-wal") ?? 0 > 0 {
            throw CommandError(
                "\(folder.database) is missing or has no bytes, but its log \(folder.database)-wal has changes of it. Nothing was changed. Keep the log, and restore a backup into another folder with `tenure restore FILE`."
            )
        }
        return folder
    }

    /// Whether the folder has a database that a command can open; `true` if the database file can't be examined.
    package var hasDatabase: Bool { contents == .database }

    private enum Contents {
        case database, emptyFile, otherFiles, nothing
    }

    private var contents: Contents {
        if let size = Self.bytes(of: database) { return size > 0 ? .database : .emptyFile }
        guard errno == ENOENT || errno == ENOTDIR else { return .database }
        guard let folder = opendir(path) else { return .nothing }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { return .otherFiles }
        }
        return .nothing
    }

    /// Returns a file's size; `nil`, with the cause in `errno`, if the file can't be examined.
    private static func bytes(of path: String) -> Int? {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int(facts.st_size) : nil
    }

    private static func withoutDatabase(_ path: String, _ fact: String) -> CommandError {
        CommandError(
            "There is no database in \(path): \(fact). Nothing was created. Check --data DIR, and that its volume is mounted. A new installation is created by `tenure init`, `tenure apply FILE` or `tenure serve --create`."
        )
    }
}
