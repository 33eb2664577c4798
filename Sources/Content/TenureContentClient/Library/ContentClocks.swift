package import TenureClient

/// The clocks, delays and random numbers of a library, replaceable in tests.
package struct ContentClocks: Sendable {
    package let device: any DeviceClock
    /// Milliseconds from an arbitrary start, without system sleep, because nothing plays then.
    package let millis: @Sendable () -> Int64
    /// Waits between attempts, for the whole duration.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Waits while no work is pending; usually cancelled before the duration has passed.
    package let idle: @Sendable (Duration) async throws -> Void
    /// Returns a random number from 0 to the given maximum, for the length of pauses.
    package let random: @Sendable (Double) -> Double

    /// Creates clocks from their parts; the defaults wait and draw random numbers as the system does.
    package init(
        device: any DeviceClock, millis: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        idle: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable (Double) -> Double = { .random(in: 0...max(0, $0)) }
    ) {
        self.device = device
        self.millis = millis
        self.sleep = sleep
        self.idle = idle
        self.random = random
    }
}

extension ContentClocks {
    /// Counts milliseconds from now, without the time that the system sleeps.
    package static func awakeMillis() -> @Sendable () -> Int64 {
        let start = SuspendingClock.now
        return { Int64((SuspendingClock.now - start) / .milliseconds(1)) }
    }
}
