import CMicrohttpd
import Glibc

/// One libmicrohttpd daemon: a listener, an event thread and its connections.
///
/// It's `@unchecked Sendable` because the pointer never changes. After the start, only the thread of ``ServerLifetime``
/// uses it, to quiesce and then to stop.
@safe final class Daemon: @unchecked Sendable {
    private let daemon: OpaquePointer
    private let worker: Unmanaged<Worker>

    /// Starts a daemon on a listening socket, which is closed even if that fails.
    init(listening socket: Int32, shared: Shared) throws(HTTPServerError) {
        let configuration = shared.configuration
        let flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
        let worker = unsafe Unmanaged.passRetained(Worker(shared: shared))
        let started = unsafe tenure_mhd_start(
            flags, socket, worker.toOpaque(),
            {
                unsafe Callbacks.requestAdvanced(
                    worker: $0, handle: $1, $2, method: $3, $4, bytes: $5, count: $6, context: $7)
            },
            { unsafe Callbacks.requestEnded(worker: $0, handle: $1, context: $2, reason: $3) },
            { unsafe Callbacks.connectionChanged(worker: $0, handle: $1, context: $2, event: $3) },
            { unsafe Callbacks.requestBegan(worker: $0, target: $1, handle: $2) },
            { unsafe Callbacks.unescape(worker: $0, handle: $1, text: $2) },
            Self.memory(for: configuration), Self.share(of: configuration), Self.seconds(configuration.idleTimeout))
        guard let started = unsafe started else {
            let number = errno
            unsafe worker.release()
            _ = Glibc.close(socket)
            throw HTTPServerError(
                .noResources, "An event thread could not be started. Raise the limits of open files and threads.",
                errno: number)
        }
        unsafe daemon = started
        unsafe self.worker = worker
    }

    /// Stops accepting connections.
    func quiesce() {
        let socket = unsafe MHD_quiesce_daemon(daemon)
        if socket >= 0 { _ = Glibc.close(socket) }
    }

    /// Closes the connections and ends the event thread; no connection may be suspended.
    func stop() {
        unsafe MHD_stop_daemon(daemon)
        unsafe worker.release()
    }

    /// The size of a connection's memory pool in bytes: for a head, its lists, and reading the body.
    private static func memory(for configuration: HTTPServer.Configuration) -> Int {
        configuration.headMemory + 4 << 10
    }

    private static func share(of configuration: HTTPServer.Configuration) -> UInt32 {
        let threads = max(configuration.threads, 1)
        return UInt32(clamping: max((configuration.connectionLimit + threads - 1) / threads, 1))
    }

    private static func seconds(_ duration: Duration) -> UInt32 {
        let (seconds, rest) = duration.components
        return UInt32(clamping: max(seconds + (rest > 0 ? 1 : 0), 1))
    }
}

extension HTTPServer.Configuration {
    /// The memory in bytes for a head and the lists that libmicrohttpd makes of its fields, cookies and query.
    var headMemory: Int { headerLimit + 4 << 10 }
}
