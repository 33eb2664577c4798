/// The last request to a server, and how long to wait after it.
package struct LastTry: Sendable, Hashable, Codable {
    /// What the clocks said.
    package let reading: ClockReading
    /// How many requests in a row brought nothing, this one included; 0 when it was answered.
    package let failures: Int
    /// How long nobody asks again, in seconds: the debounce, or longer when the server said so.
    package let hold: Int64
    /// How much longer a client that nobody looks at waits, in seconds, so that a crowd of them comes one by one.
    package let pause: Int64
    /// How long the server wants to be left alone, in seconds, also by a person; nil when it did not say.
    package let wish: Int64?

    /// The longest wait that a server may ask for, in seconds: a day. A server's mistake must not outlast a lease.
    package static let longestHold: Int64 = 86_400
    /// The most that the first pause may be, in seconds; each further failure doubles it.
    package static let firstPause: Int64 = 300
    /// The most that any pause may be, in seconds.
    package static let longestPause: Int64 = 21_600

    /// A request that was answered.
    package static func answered(at reading: ClockReading) -> LastTry {
        LastTry(reading: reading, failures: 0, hold: Cadence.debounce, pause: 0, wish: nil)
    }

    /// A request that brought nothing, after an earlier one.
    ///
    /// The pause is drawn from 0 to a most that doubles (full jitter).
    package static func failed(
        _ unreached: Unreached, after earlier: LastTry?, at reading: ClockReading,
        using generator: inout some RandomNumberGenerator
    ) -> LastTry {
        let failures = min((earlier?.failures ?? 0), 1_000) + 1
        let most = min(longestPause, firstPause << Int64(min(failures - 1, 16)))
        let wish = unreached.retryAfter.map { min(max(0, $0), longestHold) }
        return LastTry(
            reading: reading, failures: failures, hold: max(Cadence.debounce, wish ?? 0),
            pause: Int64.random(in: 0...most, using: &generator), wish: wish)
    }

    /// How many seconds are left to wait; 0 after a restart of the system.
    package func wait(for occasion: Cadence.Occasion, at now: ClockReading) -> Int64 {
        guard let passed = now.seconds(since: reading) else { return 0 }
        switch occasion {
        case .look: return max(0, hold - passed)
        case .idle: return max(0, hold + pause - passed)
        case .asked: return max(0, (wish ?? 0) - passed)
        }
    }
}
