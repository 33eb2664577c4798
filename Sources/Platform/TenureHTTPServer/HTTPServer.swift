import Glibc
public import TenureHTTP
import TenureThreads

/// An HTTP/1.1 server that passes requests to a handler.
///
/// A server listens from its creation until `stop` is called, even if it's no longer referenced.
///
/// ```swift
/// let server = try HTTPServer.start(.init(listen: .tcp(host: "127.0.0.1", port: 0)), handler: router)
/// print("ready on \(server.address)")
/// await server.stop(within: .seconds(10))
/// ```
///
/// The handler runs on an event thread until it first suspends, and must not block it. `Deadline.current` tells it, and
/// the functions it calls, when the response is due.
///
/// The server responds to some requests without the handler's response, using `rejection`:
/// - 400: the framing or header fields are ambiguous.
/// - 413: the body is too large.
/// - 431: the header is too large.
/// - 500: the response can't be sent.
/// - 503: there are too many requests, or the handler is late.
/// - 505: the version of HTTP is unsupported.
public final class HTTPServer: Sendable {
    /// The address that the server listens on; it contains the actual port if port 0 was requested.
    public let address: HTTPServer.Address

    /// The server's current load, for metrics.
    public let gauges: HTTPServer.Gauges

    private let lifetime: ServerLifetime

    /// Opens the listeners and starts the event threads.
    ///
    /// - Parameters:
    ///   - gauges: Pass your own if the handler reports them, too.
    ///   - rejection: Creates the response to a request that the server rejects; called on any thread.
    /// - Throws: `.badAddress`, `.addressInUse`, `.addressRefused` or `.noResources`; all resources are released then.
    public static func start(
        _ configuration: Configuration, handler: some Handler, gauges: HTTPServer.Gauges = HTTPServer.Gauges(),
        rejection: @escaping @Sendable (Rejection) -> Response = { .text(status: $0.status, "\($0.status)\n") }
    ) throws(HTTPServerError) -> HTTPServer {
        let shared = Shared(
            configuration: configuration, handler: handler, gauges: gauges, rejection: rejection)
        let listeners = try Listeners.open(
            configuration.listen, group: configuration.socketGroup, count: configuration.threads)
        var loops: [Mailbox] = []
        do throws(HTTPServerError) {
            for socket in listeners.sockets { loops.append(try EventLoop.start(listening: socket, shared: shared)) }
            let lifetime = ServerLifetime(shared: shared, loops: loops, socketFile: listeners.socketFile)
            do throws(ThreadError) {
                try startThread { lifetime.run() }
            } catch {
                throw HTTPServerError(error)
            }
            return HTTPServer(address: listeners.address, gauges: gauges, lifetime: lifetime)
        } catch {
            for loop in loops { loop.post(.stop) }
            shared.loops.wait { $0 == 0 ? () : nil }
            for socket in listeners.sockets.dropFirst(loops.count) { _ = close(socket) }
            listeners.socketFile?.remove()
            throw error
        }
    }

    private init(address: HTTPServer.Address, gauges: HTTPServer.Gauges, lifetime: ServerLifetime) {
        self.address = address
        self.gauges = gauges
        self.lifetime = lifetime
    }

    /// Stops the server: closes the listeners, lets current requests finish, then closes all connections.
    ///
    /// Handlers that haven't responded in time are cancelled, and their clients get a 503. Requests that aren't
    /// complete after ``Configuration/sendingGrace`` are cut off before they are processed. Repeated calls wait for the
    /// same shutdown and can only shorten the time.
    ///
    /// - Returns: Whether the handler responded to every complete request.
    @discardableResult
    public func stop(within time: Duration) async -> Bool {
        await lifetime.stop(within: time)
    }
}
