import Synchronization

extension HTTPServer {
    /// A server's current load, readable from any thread.
    ///
    /// Create it before the server, so that a handler that reports metrics can refer to it.
    public final class Gauges: Sendable {
        private let connections = Atomic<Int>(0)
        private let requests = Atomic<Int>(0)
        private let working = Atomic<Int>(0)
        private let changing = Atomic<Int>(0)
        private let bodyBytes = Atomic<Int>(0)
        private let answerBytes = Atomic<Int>(0)
        private let files = Atomic<Int>(0)

        /// Creates gauges that read zero.
        public init() {}

        /// The number of open connections.
        public var connectionCount: Int { connections.load(ordering: .relaxed) }

        /// The number of requests whose headers have been read and whose response hasn't been sent yet.
        public var requestsInFlight: Int { requests.load(ordering: .sequentiallyConsistent) }

        func connectionOpened() { connections.add(1, ordering: .relaxed) }

        func connectionClosed() { connections.subtract(1, ordering: .relaxed) }

        func requestBegan() { requests.add(1, ordering: .sequentiallyConsistent) }

        /// Counts one request less, and returns how many remain.
        func requestEnded() -> Int {
            requests.subtract(1, ordering: .sequentiallyConsistent).newValue
        }

        /// Counts one more request being processed; returns `false` if that would exceed a limit.
        func workBegan(isChange: Bool, under limits: HTTPServer.Configuration) -> Bool {
            if isChange {
                guard Self.counted(changing, limit: limits.changesInFlight) else { return false }
                if Self.counted(working, limit: limits.requestsInFlight) { return true }
                changing.subtract(1, ordering: .relaxed)
                return false
            }
            return Self.counted(working, limit: limits.requestsInFlight)
        }

        func workEnded(isChange: Bool) {
            working.subtract(1, ordering: .relaxed)
            if isChange { changing.subtract(1, ordering: .relaxed) }
        }

        /// Counts one more file response; returns `false` if that would exceed the limit.
        func fileBegan(limit: Int) -> Bool { Self.counted(files, limit: limit) }

        func fileEnded() { files.subtract(1, ordering: .relaxed) }

        /// Counts bytes of a body; returns `false` if that would exceed the limit.
        func bodyGrew(by count: Int, limit: Int) -> Bool { Self.grew(bodyBytes, by: count, limit: limit) }

        func bodyShrank(by count: Int) { bodyBytes.subtract(count, ordering: .relaxed) }

        /// Counts bytes of a response; returns `false` if that would exceed the limit.
        func answerGrew(by count: Int, limit: Int) -> Bool { Self.grew(answerBytes, by: count, limit: limit) }

        func answerShrank(by count: Int) { answerBytes.subtract(count, ordering: .relaxed) }

        private static func counted(_ number: borrowing Atomic<Int>, limit: Int) -> Bool {
            if number.add(1, ordering: .relaxed).newValue <= limit { return true }
            number.subtract(1, ordering: .relaxed)
            return false
        }

        private static func grew(_ bytes: borrowing Atomic<Int>, by count: Int, limit: Int) -> Bool {
            if count == 0 || bytes.add(count, ordering: .relaxed).newValue <= limit { return true }
            bytes.subtract(count, ordering: .relaxed)
            return false
        }
    }
}
