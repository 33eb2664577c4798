import Glibc

/// Listening sockets for an address, one for each event thread.
struct Listeners {
    /// Descriptors, non-blocking; whoever holds this closes them.
    let sockets: [Int32]
    /// Where they listen, with the port that the system chose.
    let address: ListenAddress
    /// The file to remove at the end, for a Unix socket.
    let socketFile: SocketFile?

    static func open(_ address: ListenAddress, count: Int) throws(HTTPServerError) -> Listeners {
        switch address {
        case .tcp(let host, let port): try tcp(host: host, port: port, count: count)
        case .unix(let path): try unix(path: path, count: count)
        }
    }

    /// The error for a call that failed, from `errno`.
    static func failure(_ what: String, _ address: ListenAddress) -> HTTPServerError {
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

    static func inUse(_ address: ListenAddress) -> HTTPServerError {
        HTTPServerError(
            .addressInUse,
            "Another program already listens on \(address). Stop it, or choose another address with --listen.",
            errno: EADDRINUSE)
    }
}
