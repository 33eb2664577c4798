/// The last request to a server, and how long to wait after it.
package struct LastTry: Sendable, Hashable, Codable {
    /// The device's clocks at the time of the request.
    package let reading: ClockReading
    /// The number of failed requests in a row, including this one; 0 if it succeeded.
    package let failures: Int
    /// The minimum wait before the next request, in seconds: ``RefreshPolicy/debounce``, or more if the server asked
    /// for it.
    package let hold: Int64
    /// An additional random wait for requests by timer, in seconds, so that many clients don't return at once.
    package let pause: Int64
    /// The wait that the server asked for, in seconds; `nil` if it asked for none. It also applies to users' requests.
    package let wish: Int64?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case reading = "reading"
        case failures = "failures"
        case hold = "hold"
        case pause = "pause"
        case wish = "wish"
    }

    /// The longest wait that a server may ask for, in seconds: a day.
    ///
    /// Without a limit, one wrong `Retry-After` could prevent renewals until the lease has ended.
    package static let longestHold: Int64 = 86_400
    /// The maximum random wait after the first failure, in seconds; it doubles with each further failure.
    package static let firstPause: Int64 = 300
    /// The maximum of any random wait, in seconds.
    package static let longestPause: Int64 = 21_600

    package static func answered(at reading: ClockReading) -> LastTry {
        LastTry(reading: reading, failures: 0, hold: RefreshPolicy.debounce, pause: 0, wish: nil)
    }

    /// Creates the entry for a failed request, continuing the count of failures in `earlier`.
    ///
    /// The random wait is drawn between 0 and a maximum that doubles with each failure (full jitter).
    package static func failed(
        _ unreached: RequestFailure, after earlier: LastTry?, at reading: ClockReading,
        using generator: inout some RandomNumberGenerator
    ) -> LastTry {
        let failures = min((earlier?.failures ?? 0), 1_000) + 1
        let most = min(longestPause, firstPause << Int64(min(failures - 1, 16)))
        let wish = unreached.retryAfter.map { min(max(0, $0), longestHold) }
        return LastTry(
            reading: reading, failures: failures, hold: max(RefreshPolicy.debounce, wish ?? 0),
            pause: Int64.random(in: 0...most, using: &generator), wish: wish)
    }

    /// The seconds left to wait; 0 after a restart, because uptimes of different boots can't be compared.
    package func wait(for occasion: RefreshPolicy.Occasion, at now: ClockReading) -> Int64 {
        guard let passed = now.seconds(since: reading) else { return 0 }
        switch occasion {
        case .look: return max(0, hold - passed)
        case .idle: return max(0, hold + pause - passed)
        case .asked: return max(0, (wish ?? 0) - passed)
        }
    }
}
