package import TenureVault

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A ledger in a file of its own, mode 0600, in a folder that belongs to this user alone. Whoever has it open holds the
/// lock beside it, for a ledger that two programs write to would be neither's.
package final class LedgerFile: LedgerDisk {
    package let name: String
    private let folder: PrivateFolder
    private let lock: FileLock
    private let entry: String
    private let watching: (PrivateFolder.Step) -> Void
    private var descriptor: Int32 = -1
    /// Whether the file has its name after a fall of the system too.
    private var isNamed = true

    /// Takes a file in a folder, which is made when it is missing; the file is not.
    ///
    /// - Parameter watching: Hears how far a replacement of it is.
    ///
    /// Throws ``VaultError``: `.busy`, another program has it open; `.unwritable`, the folder or lock cannot be made.
    package init(
        folder path: String, name: String, watching: @escaping (PrivateFolder.Step) -> Void = { _ in }
    ) throws(VaultError) {
        folder = try PrivateFolder.made(path)
        lock = try FileLock("\(name).lock", in: folder)
        entry = name
        self.name = "\(path)/\(name)"
        self.watching = watching
        _ = try handle()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func read() throws(VaultError) -> [UInt8]? {
        guard let descriptor = try handle() else { return nil }
        let length = try PrivateFolder.length(of: descriptor, name, .unreadable)
        return try PrivateFolder.read(descriptor, at: 0, count: length, name)
    }

    package func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        guard let descriptor = try handle() else { return [] }
        return try PrivateFolder.read(descriptor, at: offset, count: count, name)
    }

    package func write(_ bytes: [UInt8], at offset: Int) throws(VaultError) {
        try PrivateFolder.write(bytes, to: try file(), at: offset, name)
    }

    package func synchronize() throws(VaultError) {
        guard makeDurable(try file()) else { throw .system(.unwritable, name, errno) }
        guard !isNamed else { return }
        try folder.synchronize()
        isNamed = true
    }

    package func truncate(to length: Int) throws(VaultError) {
        guard ftruncate(try file(), off_t(length)) == 0 else { throw .system(.unwritable, name, errno) }
    }

    package func replace(_ bytes: [UInt8]) throws(VaultError) {
        // Whatever comes of it, the file that is open may have the name no longer.
        letGo()
        isNamed = false
        try folder.replace(entry, with: bytes, watching: watching)
        isNamed = true
        _ = try handle()
    }

    package func setAside() throws(VaultError) {
        guard try handle() != nil else { return }
        guard renameat(folder.descriptor, entry, folder.descriptor, "\(entry).lost") == 0 else {
            throw .system(.unwritable, name, errno)
        }
        letGo()
        try folder.synchronize()
    }

    private func letGo() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// The file of that name, open, to be written to.
    private func file() throws(VaultError) -> Int32 {
        guard let descriptor = try handle() else { throw .system(.unwritable, name, ENOENT) }
        return descriptor
    }

    /// The file of that name, open; nil when there is none. Where it could not be opened, it is tried each time.
    private func handle() throws(VaultError) -> Int32? {
        if descriptor >= 0 { return descriptor }
        let opened = openat(folder.descriptor, entry, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? .noFile(.unreadable, name) : .system(.unreadable, name, errno)
        }
        do throws(VaultError) {
            _ = try PrivateFolder.length(of: opened, name, .unreadable)
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
        return opened
    }
}
