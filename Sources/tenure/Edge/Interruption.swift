import Dispatch
import Glibc
import Synchronization
import TenureCommandLine

/// Lets a person stop long work between two of its steps: the first Ctrl-C asks for it, a second one ends the program.
struct Interruption {
    private final class Seen: Sendable {
        let isAsked = Atomic(false)
    }

    private let seen = Seen()
    private let source: any DispatchSourceSignal

    /// Takes Ctrl-C over, until the program ends.
    init() async {
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [seen] in
            if seen.isAsked.exchange(true, ordering: .relaxed) { _exit(ExitCode.interrupted.rawValue) }
        }
        await withCheckedContinuation { registered in
            source.setRegistrationHandler { registered.resume() }
            source.resume()
        }
    }

    /// Whether the work is to stop.
    var isAsked: Bool { seen.isAsked.load(ordering: .relaxed) }
}
