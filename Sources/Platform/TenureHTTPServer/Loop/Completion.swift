import Synchronization
import TenureHTTP

/// Passes a response from the handler's task to the event thread exactly once, even if the event thread asks for it
/// first.
final class Completion: Sendable {
    private enum State {
        /// The handler runs on the event thread.
        case running
        /// The handler waits for something, and the event thread for its response.
        case waiting
        case done(Response)
        /// The response is being sent, or isn't needed any more.
        case closed
    }

    /// The descriptor of the connection that the response is for.
    let descriptor: Int32
    private let mailbox: Mailbox
    private let state = Mutex(State.running)

    init(descriptor: Int32, mailbox: Mailbox) {
        self.descriptor = descriptor
        self.mailbox = mailbox
    }

    /// Delivers the response; it's dropped if it isn't needed any more.
    func finish(_ response: Response) {
        let isAwaited = state.withLock { state in
            switch state {
            case .running:
                state = .done(response)
                return false
            case .waiting:
                state = .done(response)
                return true
            case .done, .closed:
                return false
            }
        }
        if isAwaited { mailbox.post(.responded(self)) }
    }

    /// Takes the response. If the handler hasn't finished, returns `nil`, and a message informs the loop as soon as it
    /// has.
    func take() -> Response? {
        state.withLock { state in
            switch state {
            case .running:
                state = .waiting
                return nil
            case .done(let response):
                state = .closed
                return response
            case .waiting, .closed:
                return nil
            }
        }
    }

    /// Drops the response, even if it has been delivered.
    func abandon() {
        state.withLock { $0 = .closed }
    }
}
