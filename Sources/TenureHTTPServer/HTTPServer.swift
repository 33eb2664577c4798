import Glibc
public import TenureHTTP
import TenureThreads

/// Answers HTTP/1.1 with a handler, on libmicrohttpd.
///
/// A server that exists is listening. It goes on until `stop` is called, whether or not anyone holds it.
///
/// ```swift
/// let server = try HTTPServer.start(.init(listen: .tcp(host: "127.0.0.1", port: 0)), handler: router)
/// print("ready on \(server.address)")
/// await server.stop(within: .seconds(10))
/// ```
///
/// The handler runs on an event thread until it first suspends and must not block it; `Deadline.current` tells it, and
/// whatever it calls, until when an answer is waited for. What the server answers by
/// itself comes from `rejection`: 400 unclear framing or header fields, 413 body too long, 431 header too long, 500 an
/// answer that cannot be sent, 503 too many requests or a handler that is late. Only requests that the parser cannot
/// read at all are answered with the parser's own page.
public final class HTTPServer: Sendable {
    /// Where the server listens, with the port that the system chose for port 0.
    public let address: ListenAddress

    /// What the server is doing now.
    public let gauges: ServerGauges

    private let keeper: Keeper

    /// Opens the listeners and starts the event threads.
    ///
    /// - Parameters:
    ///   - gauges: made by the caller when the handler reports them, too.
    ///   - rejection: the answer to a request that the server itself turns away; called on any thread.
    /// - Throws: `.badAddress`, `.addressInUse`, `.addressRefused`, `.noResources`; nothing is left open.
    public static func start(
        _ configuration: Configuration, handler: some Handler, gauges: ServerGauges = ServerGauges(),
        rejection: @escaping @Sendable (Rejection) -> Response = { .text(status: $0.status, "\($0.status)\n") }
    ) throws(HTTPServerError) -> HTTPServer {
        let shared = Shared(
            configuration: configuration, handler: handler, gauges: gauges, rejection: rejection)
        let listeners = try Listeners.open(
            configuration.listen, group: configuration.socketGroup, count: configuration.threads)
        var daemons: [Daemon] = []
        do throws(HTTPServerError) {
            for socket in listeners.sockets { daemons.append(try Daemon(listening: socket, shared: shared)) }
            let keeper = Keeper(shared: shared, daemons: daemons, socketFile: listeners.socketFile)
            do throws(ThreadError) {
                try startThread { keeper.run() }
            } catch {
                throw HTTPServerError(.noResources, error.description, errno: error.number)
            }
            return HTTPServer(address: listeners.address, gauges: gauges, keeper: keeper)
        } catch {
            for completion in shared.suspended.close() { completion.giveUp(shared.rejected(completion.late)) }
            for daemon in daemons { daemon.stop() }
            for socket in listeners.sockets.dropFirst(daemons.count + 1) { _ = close(socket) }
            listeners.socketFile?.remove()
            throw error
        }
    }

    private init(address: ListenAddress, gauges: ServerGauges, keeper: Keeper) {
        self.address = address
        self.gauges = gauges
        self.keeper = keeper
    }

    /// Stops: takes no more connections, lets requests in flight finish, then closes everything.
    ///
    /// Handlers that have not answered within the time are cancelled and their clients answered 503. Requests that are not
    /// whole after ``Configuration/sendingGrace`` are cut off: nothing of them was begun. Calling it again
    /// waits for the same end, and can only shorten the time.
    ///
    /// - Returns: true when every request that was sent whole was answered by its handler.
    @discardableResult
    public func stop(within time: Duration) async -> Bool {
        await keeper.stop(within: time)
    }
}
