package import TenureClient

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
    private let file: String
    private var descriptor: Int32 = -1

    /// Takes a file in a folder, which is made when it is missing; the file is not.
    ///
    /// Throws ``VaultError``: `.busy`, another program has it open; `.unwritable`, the folder or lock cannot be made.
    package init(folder path: String, name: String) throws(VaultError) {
        folder = try PrivateFolder.made(path)
        lock = try FileLock("\(name).lock", in: folder)
        file = name
        self.name = "\(path)/\(name)"
        try open()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func read() throws(VaultError) -> [UInt8]? {
        guard descriptor >= 0 else { return nil }
        let length = try PrivateFolder.length(of: descriptor, name, .unreadable)
        return try read(at: 0, count: length)
    }

    package func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes[filled...].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset + filled))
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw .system(.unreadable, name, errno)
            }
            if got == 0 { break }
            filled += got
        }
        return filled == count ? bytes : Array(bytes.prefix(filled))
    }

    package func write(_ bytes: [UInt8], at offset: Int) throws(VaultError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + written))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(.unwritable, name, errno)
            }
            written += count
        }
    }

    package func synchronize() throws(VaultError) {
        guard makeDurable(descriptor) else { throw .system(.unwritable, name, errno) }
    }

    package func truncate(to length: Int) throws(VaultError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .system(.unwritable, name, errno) }
    }

    package func replace(_ bytes: [UInt8]) throws(VaultError) {
        try folder.replace(file, with: bytes)
        try open()
    }

    package func setAside() throws(VaultError) {
        guard descriptor >= 0 else { return }
        guard renameat(folder.descriptor, file, folder.descriptor, "\(file).lost") == 0 else {
            throw .system(.unwritable, name, errno)
        }
        close(descriptor)
        descriptor = -1
        try folder.synchronize()
    }

    private func open() throws(VaultError) {
        let opened = openat(folder.descriptor, file, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            if errno == ENOENT { return }
            throw errno == ELOOP ? .noFile(.unreadable, name) : .system(.unreadable, name, errno)
        }
        do throws(VaultError) {
            _ = try PrivateFolder.length(of: opened, name, .unreadable)
        } catch {
            close(opened)
            throw error
        }
        if descriptor >= 0 { close(descriptor) }
        descriptor = opened
    }
}
