import Dispatch
import Glibc

/// Waits for the signals that ask a server to stop: SIGTERM and SIGINT.
struct Stopping {
    private let requests: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let sources: [any DispatchSourceSignal]

    /// Takes the signals over; to be done before the server says that it is ready.
    ///
    /// A source is set up by a thread of Dispatch's own. Until that has happened a signal ends the program at once, as
    /// by default: ignoring it instead would lose one that arrives in between.
    init() async {
        let (requests, continuation) = AsyncStream<Void>.makeStream()
        self.requests = requests
        self.continuation = continuation
        sources = [SIGTERM, SIGINT].map { number in DispatchSource.makeSignalSource(signal: number, queue: .global()) }
        for source in sources {
            source.setEventHandler { continuation.yield() }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.resume()
            }
        }
    }

    /// Asks for a stop from inside the program.
    var request: @Sendable () -> Void {
        let continuation = continuation
        return { continuation.yield() }
    }

    /// Returns when the first one arrives.
    func wait() async {
        for await _ in requests { return }
    }
}
