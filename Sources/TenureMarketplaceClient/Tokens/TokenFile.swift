#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A small file that is replaced as a whole, and durable when it is: 0600, never through a link.
struct TokenFile {
    let path: String

    /// Reads it; nil when there is none, or it is no text of at most 64 KiB.
    func contents() throws(TokenFolderError) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw TokenFolderError(.unreadable, path)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.longest + 1)
        var count = 0
        while count < bytes.count {
            let more = unsafe bytes.withUnsafeMutableBytes { room in
                unsafe read(descriptor, room.baseAddress.map { unsafe $0 + count }, room.count - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw TokenFolderError(.unreadable, path) }
            if more == 0 { break }
            count += more
        }
        guard count <= Self.longest else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Replaces it, or takes it away with nil. Only one process at a time may: the account's lock sees to it.
    func replace(with text: String?) throws(TokenFolderError) {
        guard let text else {
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw TokenFolderError(.unwritable, path) }
            return try makeFolderDurable()
        }
        let new = path + ".new"
        let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TokenFolderError(.unwritable, new) }
        defer { close(descriptor) }
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let written = unsafe left.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw TokenFolderError(.unwritable, new) }
            left = left.dropFirst(written)
        }
        guard Self.isDurable(descriptor), unsafe rename(new, path) == 0 else {
            throw TokenFolderError(.unwritable, path)
        }
        try makeFolderDurable()
    }

    private func makeFolderDurable() throws(TokenFolderError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TokenFolderError(.unwritable, folder) }
        defer { close(descriptor) }
        // Some file systems have no such thing for folders, and say EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw TokenFolderError(.unwritable, folder) }
    }

    private static func isDurable(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            // There fsync stops at the disk's own memory; file systems that do not know the stronger call get the weaker.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }

    private static let longest = 64 * 1024
}

extension TokenFolderError {
    /// The system's error number is still the call's that failed.
    init(_ code: Code, _ path: String, _ cause: Int32 = errno) {
        self.code = code
        description = unsafe "\(path): \(String(cString: strerror(cause)))"
    }
}
