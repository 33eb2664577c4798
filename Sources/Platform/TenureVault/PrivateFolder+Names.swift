import TenureFiles

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension PrivateFolder {
    /// The names of the files that begin with `prefix`, ordered by their last write, oldest first.
    ///
    /// Files that another program removes meanwhile are left out.
    ///
    /// Throws: `.unreadable`.
    package func names(withPrefix prefix: String) throws(VaultError) -> [String] {
        let opened = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw .system(.unreadable, path, .current) }
        guard let stream = fdopendir(opened) else {
            let cause = Errno.current
            close(opened)
            throw .system(.unreadable, path, cause)
        }
        defer { closedir(stream) }
        var found: [(name: String, seconds: Int, nanoseconds: Int)] = []
        while let entry = readdir(stream) {
            // An entry may be shorter than its declared type, so the name is read in place.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let name = String(
                cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            guard name.utf8.starts(with: prefix.utf8) else { continue }
            var facts = stat()
            guard fstatat(folder.number, name, &facts, AT_SYMLINK_NOFOLLOW) == 0, facts.st_mode & S_IFMT == S_IFREG
            else { continue }
            #if canImport(Darwin)
                let written = facts.st_mtimespec
            #else
                let written = facts.st_mtim
            #endif
            found.append((name, written.tv_sec, written.tv_nsec))
        }
        return found.sorted { ($0.seconds, $0.nanoseconds, $0.name) < ($1.seconds, $1.nanoseconds, $1.name) }
            .map(\.name)
    }
}
