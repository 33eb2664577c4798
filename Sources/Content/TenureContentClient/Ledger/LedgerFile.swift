package import TenureFiles
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
    private let watching: (FileReplacement.Step) -> Void
    private var file: FileDescriptor?
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
        folder path: String, name: String, watching: @escaping (FileReplacement.Step) -> Void = { _ in }
    ) throws(VaultError) {
        folder = try PrivateFolder.creating(path)
        lock = try FileLock("\(name).lock", in: folder)
        entry = name
        self.name = "\(path)/\(name)"
        self.watching = watching
        _ = try opened()
    }

    package func read() throws(VaultError) -> [UInt8]? {
        guard let file = try opened() else { return nil }
        return try read(at: 0, count: try PrivateFolder.length(of: file, name, .unreadable))
    }

    package func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        guard let file = try opened() else { return [] }
        do throws(Errno) {
            return try file.read(at: offset, count: count)
        } catch {
            throw .system(.unreadable, name, error)
        }
    }

    package func write(_ bytes: [UInt8], at offset: Int) throws(VaultError) {
        try change { file throws(Errno) in try file.write(bytes, at: offset) }
    }

    package func synchronize() throws(VaultError) {
        try change { file throws(Errno) in try file.synchronize() }
        guard !isNamed else { return }
        try folder.synchronize()
        isNamed = true
    }

    package func truncate(to length: Int) throws(VaultError) {
        try change { file throws(Errno) in
            guard ftruncate(file.number, off_t(length)) == 0 else { throw .current }
        }
    }

    package func replace(_ bytes: [UInt8]) throws(VaultError) {
        // The open descriptor may refer to the old file after this call, even if it throws.
        file = nil
        isNamed = false
        try folder.replace(entry, with: bytes, watching: watching)
        isNamed = true
        _ = try opened()
    }

    package func setAside() throws(VaultError) {
        guard try opened() != nil else { return }
        let number = folder.folder.number
        guard renameat(number, entry, number, "\(entry).lost") == 0 else { throw .system(.unwritable, name, .current) }
        file = nil
        try folder.synchronize()
    }

    /// Changes the file; throws if it does not exist.
    private func change(_ body: (FileDescriptor) throws(Errno) -> Void) throws(VaultError) {
        let file = try opened()
        do throws(Errno) {
            guard let file else { throw Errno(ENOENT) }
            try body(file)
        } catch {
            throw .system(.unwritable, name, error)
        }
    }

    /// The file, opened on demand for reading and writing; `nil` if there is no file.
    private func opened() throws(VaultError) -> FileDescriptor? {
        if let file { return file }
        guard let opened = try folder.file(entry, O_RDWR | O_NONBLOCK) else { return nil }
        _ = try PrivateFolder.length(of: opened, name, .unreadable)
        file = opened
        return opened
    }
}
