import Glibc

/// The listening sockets of an address, one for each event thread.
struct Listeners {
    /// The non-blocking descriptors; the owner of this value closes them.
    let sockets: [Int32]
    /// The address, with the actual port.
    let address: HTTPServer.Address
    /// The file of a Unix socket, to be removed at the end; `nil` for TCP.
    let socketFile: SocketFile?

    static func open(_ address: HTTPServer.Address, group: UInt32? = nil, count: Int) throws(HTTPServerError)
        -> Listeners
    {
        switch address {
        case .tcp(let host, let port): try tcp(host: host, port: port, count: count)
        case .unix(let path): try unix(path: path, group: group, count: count)
        }
    }

    /// Creates the error for a failed call to the function `what`, with the number in `errno`.
    static func failure(_ what: String, _ address: HTTPServer.Address) -> HTTPServerError {
        let number = errno
        let reason = unsafe String(cString: strerror(number))
        switch number {
        case EADDRINUSE:
            return inUse(address)
        case EACCES, EPERM, EADDRNOTAVAIL, EROFS, ENOENT, ENOTDIR, EAFNOSUPPORT:
            return HTTPServerError(
                .addressRefused,
                "Cannot listen on \(address): \(what): \(reason). Choose an address of this machine "
                    + "and a port or folder that this user may use.", errno: number)
        default:
            return HTTPServerError(
                .noResources,
                "Cannot listen on \(address): \(what): \(reason). Raise the limit of open files or free "
                    + "memory.", errno: number)
        }
    }

    static func inUse(_ address: HTTPServer.Address) -> HTTPServerError {
        HTTPServerError(
            .addressInUse,
            "Another program already listens on \(address). Stop it, or choose another address with --listen.",
            errno: EADDRINUSE)
    }
}

extension Listeners {
    /// Opens listeners that share one port.
    ///
    /// The first is bound without `SO_REUSEPORT`, so that a port in use is refused even if its owner would share it.
    /// Only then is sharing turned on, and the others are bound.
    static func tcp(host: String, port: UInt16, count: Int) throws(HTTPServerError) -> Listeners {
        var bound = HTTPServer.Address.tcp(host: host, port: port)
        var (storage, length) = try resolve(bound, host: host)
        setPort(port, in: &storage)
        var sockets: [Int32] = []
        do throws(HTTPServerError) {
            for index in 0..<max(count, 1) {
                let descriptor = streamSocket(family: Int32(storage.ss_family))
                guard descriptor >= 0 else { throw failure("socket", bound) }
                sockets.append(descriptor)
                set(SOL_SOCKET, SO_REUSEADDR, on: descriptor)
                set(Int32(IPPROTO_TCP), TCP_NODELAY, on: descriptor)
                if index > 0 { set(SOL_SOCKET, SO_REUSEPORT, on: descriptor) }
                let result = unsafe withUnsafePointer(to: &storage) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                        unsafe bind(descriptor, address, length)
                    }
                }
                guard result == 0 else { throw failure("bind", bound) }
                if index == 0 {
                    let chosen = self.port(of: descriptor)
                    setPort(chosen, in: &storage)
                    bound = .tcp(host: host, port: chosen)
                    set(SOL_SOCKET, SO_REUSEPORT, on: descriptor)
                }
                guard listen(descriptor, SOMAXCONN) == 0 else { throw failure("listen", bound) }
            }
        } catch {
            for descriptor in sockets { _ = close(descriptor) }
            throw error
        }
        return Listeners(sockets: sockets, address: bound, socketFile: nil)
    }

    private static func resolve(
        _ address: HTTPServer.Address, host: String
    ) throws(HTTPServerError) -> (sockaddr_storage, socklen_t) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(host, nil, &hints, &found)
        defer { if let found = unsafe found { unsafe freeaddrinfo(found) } }
        guard result == 0, let first = unsafe found?.pointee, let source = unsafe first.ai_addr else {
            throw HTTPServerError(
                .badAddress,
                "Cannot listen on \(address): \(unsafe String(cString: gai_strerror(result))). Choose an "
                    + "address of this machine, such as 127.0.0.1:8080.")
        }
        var storage = sockaddr_storage()
        unsafe withUnsafeMutableBytes(of: &storage) { storage in
            unsafe storage.copyMemory(from: UnsafeRawBufferPointer(start: source, count: Int(first.ai_addrlen)))
        }
        return unsafe (storage, first.ai_addrlen)
    }

    private static func set(_ level: Int32, _ option: Int32, on descriptor: Int32) {
        var on: Int32 = 1
        _ = unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sets the port number, whose offset and byte order are equal in both address families.
    private static func setPort(_ port: UInt16, in storage: inout sockaddr_storage) {
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            unsafe bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
        }
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        _ = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(descriptor, address, &length)
            }
        }
        return unsafe withUnsafeBytes(of: storage) { bytes in
            unsafe UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
        }
    }
}

/// Creates a non-blocking stream socket that isn't inherited; returns a negative number and sets `errno` on failure.
func streamSocket(family: Int32) -> Int32 {
    socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
}
