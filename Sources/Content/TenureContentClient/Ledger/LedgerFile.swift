package import TenureVault

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A ledger in a file with mode 0600, in a folder that only this user can access.
///
/// The instance locks a separate file while it exists, so that no second program writes to the ledger.
package final class LedgerFile: LedgerDisk {
    package let name: String
    private let folder: PrivateFolder
    private let lock: FileLock
    private let entry: String
    private let watching: (PrivateFolder.Step) -> Void
    private var descriptor: Int32 = -1
    /// Whether the file's directory entry is durable, so that the file survives a system crash.
    private var isNamed = true

    /// Opens a ledger file in a folder.
    ///
    /// The folder is created if it's missing; the file isn't.
    ///
    /// - Parameters:
    ///   - path: The folder's path.
    ///   - name: The name of the file in the folder.
    ///   - watching: Called with each step of a replacement.
    /// - Throws: ``VaultError``: `.busy` if another program has the ledger open, or `.unwritable` if the folder or lock
    ///   can't be created.
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
        // The open descriptor may refer to the old file after this call, even if it throws.
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

    /// The descriptor of the existing file, for writing; throws if there is no file.
    private func file() throws(VaultError) -> Int32 {
        guard let descriptor = try handle() else { throw .system(.unwritable, name, ENOENT) }
        return descriptor
    }

    /// The descriptor of the file, opened on demand; `nil` if there is no file.
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
