import Synchronization
import TenureHTTP
import TenureThreads

/// The state that a server's event threads share with the thread of ``ServerLifetime``.
final class Shared: Sendable {
    let configuration: HTTPServer.Configuration
    let handler: any Handler
    let gauges: HTTPServer.Gauges
    /// The maximum number of a thread's open connections.
    let connectionsPerThread: Int
    /// The shortest time between two searches of an event thread for connections past their deadline.
    let sweepInterval: Duration
    /// The number of event threads that haven't ended.
    let loops = Monitor(0)
    /// Set to wake the thread of ``ServerLifetime``, which resets it.
    let signal = Monitor(false)
    private let rejection: @Sendable (Rejection) -> Response
    private let draining = Atomic(false)

    init(
        configuration: HTTPServer.Configuration, handler: any Handler, gauges: HTTPServer.Gauges,
        rejection: @escaping @Sendable (Rejection) -> Response
    ) {
        self.configuration = configuration
        let threads = max(configuration.threads, 1)
        connectionsPerThread = max((configuration.connectionLimit + threads - 1) / threads, 1)
        sweepInterval = min(max(configuration.requestDeadline / 16, .milliseconds(5)), .milliseconds(500))
        self.handler = handler
        self.gauges = gauges
        self.rejection = rejection
    }

    /// Whether the server has stopped accepting connections and closes each one after its next response.
    var isDraining: Bool {
        get { draining.load(ordering: .sequentiallyConsistent) }
        set { draining.store(newValue, ordering: .sequentiallyConsistent) }
    }

    func wakeKeeper() { signal.change { isRaised in isRaised = true } }

    /// The response to a request that the server doesn't pass to its handler.
    func rejected(_ rejected: Rejection) -> Response {
        var response = rejection(rejected)
        if rejected.status == 503, response.headers["Retry-After"] == nil { response.headers.add("Retry-After", "1") }
        return response
    }
}
