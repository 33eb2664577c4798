import CEpoll
import Glibc

/// The system's list of descriptors that an event thread waits for (`epoll`).
struct Poller: Sendable {
    /// The events that a descriptor is watched for.
    enum Interest {
        case input, output
        /// The connections of a listener; if threads share one, each connection wakes only some of them.
        case connections
        /// Each change of a counter, which is never read.
        case changes

        fileprivate var flags: UInt32 {
            switch self {
            case .input: EPOLLIN.rawValue
            case .output: EPOLLOUT.rawValue
            case .connections: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue
            case .changes: EPOLLIN.rawValue | EPOLLET.rawValue
            }
        }
    }

    private let descriptor: Int32

    init() throws(HTTPServerError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        if descriptor < 0 { throw .noEventThread() }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// Changes the events that a descriptor is watched for; `nil` stops watching it.
    func watch(_ watched: Int32, for interest: Interest?, insteadOf former: Interest? = nil) {
        var event = unsafe epoll_event()
        unsafe event.events = interest?.flags ?? 0
        unsafe event.data.fd = watched
        let operation = interest == nil ? EPOLL_CTL_DEL : former == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        _ = unsafe epoll_ctl(descriptor, operation, watched, &event)
    }

    /// Waits for events; then calls `first` once, and `handle` with the descriptor of each event.
    ///
    /// - Parameter milliseconds: The longest time to wait; -1 for no limit.
    func wait(milliseconds: Int32, then handle: (Int32) -> Void, first: () -> Void) {
        let most = 64
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: most) { events in
            let count = unsafe epoll_wait(descriptor, events.baseAddress, Int32(most), milliseconds)
            first()
            for index in 0..<max(0, Int(count)) { unsafe handle(events[index].data.fd) }
        }
    }
}
