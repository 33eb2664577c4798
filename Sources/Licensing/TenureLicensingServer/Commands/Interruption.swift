import Dispatch
import Glibc
import Synchronization
import TenureCommandLine

/// Lets Ctrl-C stop long work between two steps.
///
/// The first Ctrl-C only requests the stop, which the work has to check for. The second one ends the program at once.
struct Interruption {
    private final class ReceivedSignals: Sendable {
        let isAsked = Atomic(false)
    }

    private let results = ReceivedSignals()
    private let source: any DispatchSourceSignal

    /// Handles Ctrl-C until the program ends.
    init() async {
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [results] in
            if results.isAsked.exchange(true, ordering: .relaxed) { _exit(ExitCode.interrupted.rawValue) }
        }
        await withCheckedContinuation { registered in
            source.setRegistrationHandler { registered.resume() }
            source.resume()
        }
    }

    /// Whether Ctrl-C has been pressed, so that the work should stop after the current step.
    var isAsked: Bool { results.isAsked.load(ordering: .relaxed) }
}
