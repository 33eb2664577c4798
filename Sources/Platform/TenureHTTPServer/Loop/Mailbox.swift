import CEpoll
import Glibc
import Synchronization

/// Passes messages from any thread to an event thread.
final class Mailbox: Sendable {
    enum Message {
        /// A handler has responded.
        case responded(Completion)
        /// Close the listener.
        case stopAccepting
        /// Close the connections that wait for bytes from their client, or whose client receives nothing of its
        /// response.
        case cutOff
        /// Send a rejection in place of each response that a handler hasn't delivered yet.
        case giveUp
        /// Close all connections and end the thread.
        case stop
    }

    /// The descriptor of a counter, which becomes readable when the event thread must be woken.
    let counter: Int32
    private let messages = Mutex<[Message]>([])

    init() throws(HTTPServerError) {
        counter = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if counter < 0 { throw .noEventThread() }
    }

    deinit { _ = close(counter) }

    /// Adds a message, and wakes the event thread unless an unread message has already woken it.
    func post(_ message: Message) {
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if isFirst { _ = eventfd_write(counter, 1) }
    }

    /// Replaces a list with the messages since the last call; the list's memory is reused.
    func take(into list: inout [Message]) {
        list.removeAll(keepingCapacity: true)
        messages.withLock { swap(&$0, &list) }
    }
}
