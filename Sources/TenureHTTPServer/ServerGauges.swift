import Synchronization

/// What a server is doing now, readable from anywhere at any time.
///
/// Made before the server, so that a handler that reports metrics can hold it.
public final class ServerGauges: Sendable {
    private let connections = Atomic<Int>(0)
    private let requests = Atomic<Int>(0)

    /// Makes gauges that read zero.
    public init() {}

    /// Connections open now.
    public var connectionCount: Int { connections.load(ordering: .relaxed) }

    /// Requests whose headers are read and whose answer is not yet sent.
    public var requestsInFlight: Int { requests.load(ordering: .sequentiallyConsistent) }

    func connectionOpened() { connections.add(1, ordering: .relaxed) }

    func connectionClosed() { connections.subtract(1, ordering: .relaxed) }

    /// Counts one more request unless that would be over the limit.
    func requestBegan(limit: Int) -> Bool {
        if requests.add(1, ordering: .sequentiallyConsistent).newValue <= limit { return true }
        requests.subtract(1, ordering: .sequentiallyConsistent)
        return false
    }

    /// Answers how many requests are left.
    func requestEnded() -> Int {
        requests.subtract(1, ordering: .sequentiallyConsistent).newValue
    }
}
