import Synchronization

/// What a server is doing now, readable from anywhere at any time.
///
/// Made before the server, so that a handler that reports metrics can hold it.
public final class ServerGauges: Sendable {
    private let connections = Atomic<Int>(0)
    private let requests = Atomic<Int>(0)
    private let working = Atomic<Int>(0)
    private let bodyBytes = Atomic<Int>(0)
    private let answerBytes = Atomic<Int>(0)
    private let files = Atomic<Int>(0)

    /// Makes gauges that read zero.
    public init() {}

    /// Connections open now.
    public var connectionCount: Int { connections.load(ordering: .relaxed) }

    /// Requests whose headers are read and whose answer is not yet sent.
    public var requestsInFlight: Int { requests.load(ordering: .sequentiallyConsistent) }

    func connectionOpened() { connections.add(1, ordering: .relaxed) }

    func connectionClosed() { connections.subtract(1, ordering: .relaxed) }

    func requestBegan() { requests.add(1, ordering: .sequentiallyConsistent) }

    /// Answers how many requests are left.
    func requestEnded() -> Int {
        requests.subtract(1, ordering: .sequentiallyConsistent).newValue
    }

    /// Counts one more request at work unless that would be over the limit.
    func workBegan(limit: Int) -> Bool {
        if working.add(1, ordering: .relaxed).newValue <= limit { return true }
        workEnded()
        return false
    }

    func workEnded() { working.subtract(1, ordering: .relaxed) }

    /// Counts one more answer that is a file unless that would be over the limit.
    func fileBegan(limit: Int) -> Bool {
        if files.add(1, ordering: .relaxed).newValue <= limit { return true }
        fileEnded()
        return false
    }

    func fileEnded() { files.subtract(1, ordering: .relaxed) }

    /// Counts bytes of a body unless that would be over the limit.
    func bodyGrew(by count: Int, limit: Int) -> Bool { Self.grew(bodyBytes, by: count, limit: limit) }

    func bodyShrank(by count: Int) { bodyBytes.subtract(count, ordering: .relaxed) }

    /// Counts bytes of an answer that goes out unless that would be over the limit.
    func answerGrew(by count: Int, limit: Int) -> Bool { Self.grew(answerBytes, by: count, limit: limit) }

    func answerShrank(by count: Int) { answerBytes.subtract(count, ordering: .relaxed) }

    private static func grew(_ bytes: borrowing Atomic<Int>, by count: Int, limit: Int) -> Bool {
        if count == 0 || bytes.add(count, ordering: .relaxed).newValue <= limit { return true }
        bytes.subtract(count, ordering: .relaxed)
        return false
    }
}
