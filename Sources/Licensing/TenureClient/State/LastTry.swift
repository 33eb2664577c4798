/// The last request to a server, and how long to wait after it.
package struct LastTry: Sendable, Hashable, Codable {
    /// The device's clocks at the time of the request.
    package let reading: ClockReading
    /// The number of failed requests in a row, including this one; 0 if it succeeded.
    package let failures: Int
    /// The minimum wait before the next request by timer, in seconds: ``RefreshPolicy/debounce``, or more if the server
    /// asked for it.
    package let hold: Int64
    /// An additional random wait for requests by timer, in seconds, so that many clients don't return at once.
    package let pause: Int64
    /// The wait before a request by the user, in seconds; `nil` if the response asked for none.
    package let request: Int64?
    /// The requests in a row that the server didn't answer, including this one; `nil` if it answered this one.
    package let unanswered: Unanswered?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case reading = "reading"
        case failures = "failures"
        case hold = "hold"
        case pause = "pause"
        case request = "wish"
        case unanswered = "unanswered"
    }

    /// The longest wait that a server may ask for, in seconds: a day.
    ///
    /// Without a limit, one wrong `Retry-After` could prevent renewals until the lease has ended.
    package static let longestHold: Int64 = 86_400
    /// The longest wait that a server may ask of a user, in seconds.
    package static let longestWish: Int64 = 3_600
    /// The longest wait of a user after a response that isn't the server's own, such as a proxy's, in seconds.
    package static let longestForeignWish: Int64 = 60
    /// The maximum random wait after the first failure, in seconds; it doubles with each further failure.
    package static let firstPause: Int64 = 300
    /// The maximum of any random wait, in seconds.
    package static let longestPause: Int64 = 21_600

    package static func answered(at reading: ClockReading) -> LastTry {
        LastTry(
            reading: reading, failures: 0, hold: RefreshPolicy.debounce, pause: 0, request: nil, unanswered: nil)
    }

    /// Creates the entry for a failed request, continuing the count of failures in `earlier`.
    ///
    /// The random wait is drawn between 0 and a maximum that doubles with each failure (full jitter). A `Retry-After`
    /// in a response that isn't the server's own delays only the user's requests, for a minute at most.
    ///
    /// - Parameter occasion: Why the request was sent; when the user looks at the app again, the short waits start
    ///   again.
    package static func failed(
        _ unreached: RequestFailure, on occasion: RefreshPolicy.Occasion = .look, after earlier: LastTry?,
        at reading: ClockReading, using generator: inout some RandomNumberGenerator
    ) -> LastTry {
        let failures = min((earlier?.failures ?? 0), 1_000) + 1
        let most = min(longestPause, firstPause << Int64(min(failures - 1, 16)))
        let pause = Int64.random(in: 0...most, using: &generator)
        let retryAfter = unreached.retryAfter.map { max(0, $0) }
        guard unreached.isFromServer else {
            return LastTry(
                reading: reading, failures: failures, hold: RefreshPolicy.debounce, pause: pause,
                request: retryAfter.map { min($0, longestForeignWish) },
                unanswered: .after(
                    earlier?.unanswered.flatMap { $0.isOver(on: occasion, at: reading) ? nil : $0 }, at: reading,
                    using: &generator))
        }
        return LastTry(
            reading: reading, failures: failures,
            hold: max(RefreshPolicy.debounce, min(retryAfter ?? 0, longestHold)), pause: pause,
            request: retryAfter.map { min($0, longestWish) }, unanswered: nil)
    }

    /// The seconds left to wait; 0 after a restart, because uptimes of different boots can't be compared.
    package func wait(for occasion: RefreshPolicy.Occasion, at now: ClockReading) -> Int64 {
        guard let passed = now.seconds(since: reading) else { return 0 }
        let idle = max(0, hold + pause - passed)
        switch occasion {
        case .idle: return idle
        case .asked: return max(0, (request ?? 0) - passed)
        case .look: return max(0, (unanswered?.gap ?? hold) - passed)
        case .online: return unanswered == nil ? max(0, hold - passed) : max(0, Unanswered.firstGap - passed)
        case .waiting:
            guard let unanswered, unanswered.isRecent(at: now) else { return idle }
            return min(idle, max(0, unanswered.gap - passed))
        }
    }
}

extension LastTry {
    /// Requests in a row that the server didn't answer.
    package struct Unanswered: Sendable, Hashable, Codable {
        /// The device's clocks at the time of the first of these requests.
        package let since: ClockReading
        /// The number of these requests.
        package let count: Int
        /// The wait before the next request while the user waits for it, in seconds.
        package let gap: Int64

        /// The wait after the first request, in seconds; it doubles with each further one.
        package static let firstGap: Int64 = 1
        /// The longest wait while the user waits, in seconds, without its random part.
        package static let longestGap: Int64 = 60
        /// For how long waits of at most ``longestGap`` apply, in seconds. After that, requests by timer become rare.
        package static let duration: Int64 = 600

        /// The stored names; never change them.
        private enum CodingKeys: String, CodingKey {
            case since = "since"
            case count = "count"
            case gap = "gap"
        }

        /// Counts another request, with a wait that varies at random by up to a third.
        static func after(
            _ earlier: Unanswered?, at now: ClockReading, using generator: inout some RandomNumberGenerator
        ) -> Unanswered {
            let count = min(earlier?.count ?? 0, 1_000) + 1
            let gap = min(longestGap, firstGap << Int64(min(count - 1, 16)))
            let jitter = gap / 3
            return Unanswered(
                since: earlier?.since ?? now, count: count,
                gap: gap + Int64.random(in: -jitter...jitter, using: &generator))
        }

        /// Whether the count of unanswered requests starts again. It does once the short waits have ended, if the user
        /// looks at the app or asks for a check, or the network is available.
        func isOver(on occasion: RefreshPolicy.Occasion, at now: ClockReading) -> Bool {
            switch occasion {
            case .look, .online, .asked: !isRecent(at: now)
            case .idle, .waiting: false
            }
        }

        /// Whether the short waits still apply; after a restart they do.
        func isRecent(at now: ClockReading) -> Bool {
            now.seconds(since: since).map { $0 < Self.duration } ?? true
        }
    }
}
