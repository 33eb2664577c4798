import Dispatch
import Glibc
import Synchronization

/// Stops long work between two steps: the first Ctrl-C requests it, the second one ends the program at once.
package struct Interruption {
    private final class ReceivedSignals: Sendable {
        let isAsked = Atomic(false)
    }

    private let seen = ReceivedSignals()
    private let source: any DispatchSourceSignal

    /// Handles Ctrl-C until the program ends.
    package init() async {
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [seen] in
            if seen.isAsked.exchange(true, ordering: .relaxed) { _exit(ExitCode.interrupted.rawValue) }
        }
        await withCheckedContinuation { registered in
            source.setRegistrationHandler { registered.resume() }
            source.resume()
        }
    }

    /// Whether the work should stop.
    package var isAsked: Bool { seen.isAsked.load(ordering: .relaxed) }
}
