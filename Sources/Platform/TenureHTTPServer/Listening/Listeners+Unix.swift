import Glibc

extension Listeners {
    /// Opens one listener on a path and duplicates its descriptor for each event thread.
    ///
    /// A socket file without a listening process was left behind by a killed server, and is replaced.
    static func unix(path: String, group: UInt32?, count: Int) throws(HTTPServerError) -> Listeners {
        let address = HTTPServer.Address.unix(path: path)
        guard var name = unixName(path) else {
            throw HTTPServerError(
                .badAddress,
                "Cannot listen on \(address): a socket path must have 1 to 107 bytes. Choose a shorter one.")
        }
        try clearStale(address, path: path, name: &name)
        let descriptor = streamSocket(family: AF_UNIX)
        guard descriptor >= 0 else { throw failure("socket", address) }
        var sockets = [descriptor]
        do throws(HTTPServerError) {
            // Setting the mode before the bind keeps others out from the start; setting it again undoes the umask.
            _ = fchmod(descriptor, 0o660)
            guard unsafe onName(&name, { unsafe bind(descriptor, $0, $1) }) == 0 else { throw failure("bind", address) }
            _ = unsafe chmod(path, 0o660)
            if let group, unsafe lchown(path, uid_t.max, group) != 0 { throw failure("chown", address) }
            guard listen(descriptor, SOMAXCONN) == 0 else { throw failure("listen", address) }
            while sockets.count < count {
                let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                guard copy >= 0 else { throw failure("dup", address) }
                sockets.append(copy)
            }
        } catch {
            for descriptor in sockets { _ = close(descriptor) }
            throw error
        }
        return Listeners(sockets: sockets, address: address, socketFile: SocketFile(path: path))
    }

    private static func clearStale(
        _ address: HTTPServer.Address, path: String, name: inout sockaddr_un
    ) throws(HTTPServerError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw HTTPServerError(
                .addressRefused,
                "Cannot listen on \(address): something that is not a socket is there. Move it or choose another path.")
        }
        let descriptor = streamSocket(family: AF_UNIX)
        guard descriptor >= 0 else { throw failure("socket", address) }
        defer { _ = close(descriptor) }
        if unsafe onName(&name, { unsafe connect(descriptor, $0, $1) }) == 0 { throw inUse(address) }
        switch errno {
        case ECONNREFUSED: _ = unsafe unlink(path)
        case ENOENT: break
        case EAGAIN: throw inUse(address)
        default: throw failure("connect", address)
        }
    }

    private static func unixName(_ path: String) -> sockaddr_un? {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: name.sun_path)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else { return nil }
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return name
    }

    private static func onName(
        _ name: inout sockaddr_un, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe call(address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The file of a Unix socket, identified so that only this server's own file is ever removed.
struct SocketFile: Sendable {
    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Records the file at a path; `nil` if there isn't one.
    init?(path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the file, unless another has replaced it.
    func remove() {
        if let present = SocketFile(path: path), present.device == device, present.inode == inode {
            _ = unsafe unlink(path)
        }
    }
}
