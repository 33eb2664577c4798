import Glibc
import Synchronization
import TenureCommandLine

/// Lets Ctrl-C stop long work between two steps.
///
/// The first Ctrl-C only requests the stop, which the work has to check for. The second one ends the program at once.
struct Interruption {
    private static let request = Atomic(false)

    /// Handles Ctrl-C until the program ends.
    ///
    /// A handler can only set a flag, which is enough here. A signal source of Dispatch would pass each signal on to
    /// another thread.
    init() {
        // Makes sure that the flag exists before the handler needs it, because a handler must not create it.
        Self.request.store(false, ordering: .relaxed)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            if Interruption.request.exchange(true, ordering: .relaxed) { _exit(ExitCode.interrupted.rawValue) }
        }
        action.sa_flags = SA_RESTART
        sigaction(SIGINT, &action, nil)
    }

    /// Whether Ctrl-C has been pressed, so that the work should stop after the current step.
    var isAsked: Bool { Self.request.load(ordering: .relaxed) }
}
