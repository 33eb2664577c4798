import Glibc
package import TenureCommandLine

/// The folder of an installation, with the database, the master key and the server's lock.
package struct DataFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package var database: String { path + "/tenure.sqlite" }
    package var standardMasterKey: String { path + "/master.key" }
    package var lock: String { path + "/serve.lock" }

    /// Opens an existing folder as its owner.
    ///
    /// If the process runs as root, it switches to the folder's owner, so that the server can read every file in it.
    /// The process can still open other files that the user named (``CallersFiles``). Throws ``CommandError`` if it
    /// runs as any user other than root and the owner.
    package static func existing(_ path: String) throws(CommandError) -> DataFolder {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            guard errno == ENOENT else {
                throw CommandError("The data folder \(path) cannot be opened: \(reason(errno)).")
            }
            throw CommandError(
                "There is no data folder at \(path). Run `tenure apply FILE` or `tenure serve` to create one, or choose another with --data DIR."
            )
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            throw CommandError("\(path) is not a folder. Choose a folder with --data DIR.")
        }
        try become(owner: facts.st_uid, group: facts.st_gid, of: path)
        return DataFolder(path: path)
    }

    /// Opens a folder; creates a missing one with access for its owner only.
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
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError(
                "The lock file \(lock) cannot be opened: \(Self.reason(errno)). Check its owner and mode.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandError(
                message
                    ?? "Another server is running on \(path). Stop it first, or choose another folder with --data DIR.")
        }
    }

    package static func reason(_ number: Int32) -> String { CallersFile.reason(number) }
}
