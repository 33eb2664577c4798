import Glibc
import Synchronization
import TenureHTTP
import TenureHTTPServer

/// A handler that blocks its event thread until it is opened, and responds with the path.
final class Blocking: Handler {
    private let isOpen = Atomic(false)
    private let handled = Mutex<[String]>([])

    /// The paths of the requests so far, in the order in which they were handled.
    var paths: [String] { handled.withLock { $0 } }

    func open() { isOpen.store(true, ordering: .releasing) }

    func handle(_ request: Request) -> HandlerResult {
        handled.withLock { $0.append(request.path) }
        while !isOpen.load(ordering: .acquiring) { usleep(1000) }
        return .response(.text(request.path))
    }
}
