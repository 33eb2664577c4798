import Synchronization
import TenureHTTP

/// What the event threads of one server and its keeper share.
final class Shared: Sendable {
    let configuration: HTTPServer.Configuration
    let handler: any Handler
    let gauges: ServerGauges
    let connections = ConnectionTable()
    let suspended = SuspendedTable()
    let signal: Signal
    private let rejection: @Sendable (Int) -> Response
    private let draining = Atomic(false)

    init(
        configuration: HTTPServer.Configuration, handler: any Handler, gauges: ServerGauges, signal: Signal,
        rejection: @escaping @Sendable (Int) -> Response
    ) {
        self.configuration = configuration
        self.handler = handler
        self.gauges = gauges
        self.signal = signal
        self.rejection = rejection
    }

    /// Whether the server takes no more connections and closes those it has after their next answer.
    var isDraining: Bool {
        get { draining.load(ordering: .sequentiallyConsistent) }
        set { draining.store(newValue, ordering: .sequentiallyConsistent) }
    }

    /// The answer to a request that the server does not pass to its handler.
    func rejected(_ status: Int) -> Response {
        var response = rejection(status)
        if status == 503, response.headers["Retry-After"] == nil { response.headers.add("Retry-After", "1") }
        return response
    }
}
