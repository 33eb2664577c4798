import Synchronization
import TenureHTTP

/// The requests that a server received.
final class Heard: Sendable {
    private let requests = Mutex<[Request]>([])

    func note(_ request: Request) { requests.withLock { $0.append(request) } }

    var paths: [String] { requests.withLock { $0.map(\.path) } }

    var all: [Request] { requests.withLock { $0 } }
}
