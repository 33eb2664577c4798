import Dispatch
import Glibc

/// Waits for the signals that ask a server to stop: SIGTERM and SIGINT.
struct Stopping {
    private let requests: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// Takes the signals over; made before the server says that it is ready.
    init() {
        let (requests, continuation) = AsyncStream<Void>.makeStream()
        self.requests = requests
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
    }

    /// Returns when the first one arrives.
    func wait() async {
        for await _ in requests { return }
    }
}
