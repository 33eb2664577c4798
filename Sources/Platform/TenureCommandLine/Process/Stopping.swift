import Dispatch
import Glibc

/// Waits for the signals that stop a server: SIGTERM and SIGINT.
package struct Stopping {
    private let requests: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let sources: [any DispatchSourceSignal]

    /// Installs the signal handlers; call it before the server reports that it's ready.
    ///
    /// A Dispatch thread sets up each source. Until then, a signal ends the program at once, as by default. Ignoring it
    /// instead would lose a signal that arrives in between.
    package init() async {
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

    /// A function that requests a stop from inside the program.
    package var request: @Sendable () -> Void {
        let continuation = continuation
        return { continuation.yield() }
    }

    /// Returns when the first signal or request arrives.
    package func wait() async {
        for await _ in requests { return }
    }
}
