import CLinux
import Glibc
import TenureCore
import TenureFiles
import TenureServerKit

/// An open folder, through which all its files are opened.
///
/// Its entries are addressed by a single path component, and links are never followed. Therefore, nothing outside the
/// folder is read or written, even if its content is replaced in the meantime.
final class Folder: Sendable {
    let opened: FileDescriptor
    private var descriptor: Int32 { opened.number }

    private init(_ opened: FileDescriptor) { self.opened = opened }

    /// Opens a folder at a path from the operator; `nil` if it doesn't exist.
    static func open(_ path: String) throws(ServerError) -> Folder? {
        do throws(Errno) {
            return Folder(try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY))
        } catch {
            if error.rawValue == ENOENT { return nil }
            throw .files("\(path) can't be opened", error)
        }
    }

    /// Opens a folder by its path, creating it if necessary.
    ///
    /// If the parent is missing, it is created, too; only its owner can read it.
    static func creating(_ path: String) throws(ServerError) -> Folder {
        if unsafe mkdir(path, 0o755) != 0, errno == ENOENT, let parent = path.cut(atLastByte: "/")?.before,
            !parent.isEmpty
        {
            _ = unsafe mkdir(String(parent), 0o700)
            _ = unsafe mkdir(path, 0o755)
        }
        guard let folder = try open(path) else { throw .files("\(path) can't be opened") }
        return folder
    }

    /// Opens a subfolder; `nil` if there is no folder of that name.
    func folder(_ name: String) throws(ServerError) -> Folder? {
        do throws(Errno) {
            return Folder(try FileDescriptor(opening: name, in: opened, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
        } catch {
            // The entry is missing, a link or a file.
            if [ENOENT, ELOOP, ENOTDIR].contains(error.rawValue) { return nil }
            throw .files("the folder \(name) can't be opened", error)
        }
    }

    /// Opens a subfolder, creating it if necessary.
    func creating(_ name: String) throws(ServerError) -> Folder {
        if unsafe mkdirat(descriptor, name, 0o755) != 0, errno != EEXIST {
            throw .files("the folder \(name) can't be created")
        }
        guard let folder = try folder(name) else {
            throw ServerError(.packagesUnusable, "\(name) exists where a package folder must be created. Remove it.")
        }
        return folder
    }

    /// Opens a regular file for reading; `nil` if the name is missing or isn't a regular file.
    func file(_ name: String) throws(ServerError) -> OpenFile? {
        // Without `O_NONBLOCK`, opening a pipe without a writer would block forever.
        let opened = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if opened >= 0 { return OpenFile(taking: opened) }
        if errno == ENOENT || errno == ELOOP || errno == ENXIO { return nil }
        throw .files("\(name) can't be opened")
    }

    /// Opens a regular file below this folder by its path components; `nil` if it doesn't exist.
    func file(at parts: [String]) throws(ServerError) -> OpenFile? {
        guard let name = parts.last else { return nil }
        guard parts.count > 1 else { return try file(name) }
        return try folder(parts[0])?.file(at: Array(parts.dropFirst()))
    }

    /// Lists the entries with name and kind, except `.` and `..`, in no particular order.
    func entries(upTo limit: Int = .max) throws(ServerError) -> [Entry] {
        // A directory stream moves the position of its descriptor, so it needs a separate one.
        let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else { throw .files("a folder can't be listed") }
        defer { unsafe closedir(stream) }
        var entries: [Entry] = []
        while let entry = unsafe readdir(stream), entries.count < limit {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { entries.append(try self.entry(name)) }
        }
        return entries.sorted { $0.name < $1.name }
    }

    private func entry(_ name: String) throws(ServerError) -> Entry {
        var facts = stat()
        guard unsafe fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw .files("\(name) can't be inspected")
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: return Entry(name: name, kind: .file(size: Int64(facts.st_size)))
        case S_IFDIR: return Entry(name: name, kind: .folder)
        default: return Entry(name: name, kind: .other)
        }
    }

    /// An entry of a folder, as a listing shows it.
    struct Entry: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case file(size: Int64)
            case folder
            /// A link, a pipe, a socket or a device.
            case other
        }

        let name: String
        let kind: Kind
    }
}

extension Folder {
    /// Creates a new file for writing and fails if the name exists.
    func create(_ name: String) throws(ServerError) -> NewFile {
        do throws(Errno) {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
            return NewFile(try FileDescriptor(opening: name, in: opened, flags, mode: 0o644), named: name)
        } catch {
            throw .files("\(name) can't be created", error)
        }
    }

    /// Moves an entry to another folder on the same disk.
    ///
    /// The new name must be free or an empty folder.
    func move(_ name: String, to other: Folder, as newName: String) throws(ServerError) {
        guard unsafe renameat(descriptor, name, other.descriptor, newName) == 0 else {
            throw .files("\(name) can't be moved")
        }
    }

    /// Atomically exchanges two entries; returns `false` if the file system doesn't support that.
    func exchange(_ name: String, with other: Folder, _ otherName: String) throws(ServerError) -> Bool {
        if unsafe tenure_exchange(descriptor, name, other.descriptor, otherName) == 0 { return true }
        if errno == EINVAL || errno == ENOSYS || errno == ENOTSUP { return false }
        throw .files("\(name) can't be exchanged")
    }

    /// Creates a hard link to a file; returns `false` if the file system doesn't support that.
    func link(_ name: String, in other: Folder) throws(ServerError) -> Bool {
        if unsafe linkat(descriptor, name, other.descriptor, name, 0) == 0 || errno == EEXIST { return true }
        if errno == EPERM || errno == ENOTSUP || errno == EMLINK || errno == EXDEV { return false }
        throw .files("\(name) can't be linked")
    }

    /// Sets the modification time of an entry, in seconds since 1970.
    func date(_ name: String, _ seconds: Int64) throws(ServerError) {
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        guard unsafe utimensat(descriptor, name, [time, time], AT_SYMLINK_NOFOLLOW) == 0 else {
            throw .files("the date of \(name) can't be set")
        }
    }

    /// Removes an entry with its content; a missing entry isn't an error.
    func remove(_ name: String) throws(ServerError) {
        if unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT { return }
        guard let inner = try folder(name) else { throw .files("\(name) can't be removed") }
        for entry in try inner.entries() { try inner.remove(entry.name) }
        guard unsafe unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw .files("\(name) can't be removed")
        }
    }

    /// Flushes the folder, so that created, moved and removed entries survive a crash.
    func sync() throws(ServerError) {
        guard fsync(descriptor) == 0 else { throw .files("a folder can't be synced to disk") }
    }

    /// Locks the folder until it's closed; returns `false` if another process holds the lock.
    ///
    /// On file systems without locks, this always succeeds.
    func lock() -> Bool { opened.tryLock() != .busy }

    /// The free space of the folder's file system, in bytes.
    func room() throws(ServerError) -> Int64 {
        var facts = statvfs()
        guard unsafe fstatvfs(descriptor, &facts) == 0 else { throw .files("the free disk space can't be read") }
        return Int64(
            clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
    }
}

extension ServerError.Code {
    /// The packages folder or a package to be added can't be read or written.
    static let packagesUnusable = ServerError.Code("packages_unusable")
    /// Another process is working on the same files, or the disk is busy.
    static let packagesBusy = ServerError.Code("packages_busy")
}

extension ServerError {
    /// Creates the error for a failed system call.
    static func files(_ what: String, _ cause: Errno = .current) -> ServerError {
        let cure = cause.rawValue == ENOSPC ? " Free some disk space and try again." : ""
        return ServerError(.packagesUnusable, "Packages: \(what): \(cause).\(cure)")
    }
}
