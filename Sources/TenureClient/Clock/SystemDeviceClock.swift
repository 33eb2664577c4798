import TenureCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The clocks of the system the app runs on.
package struct SystemDeviceClock: DeviceClock {
    /// Reads the system's.
    package init() {}

    package func read() -> ClockReading {
        ClockReading(
            wall: Timestamp(seconds: Self.seconds(CLOCK_REALTIME)), uptime: Self.seconds(Self.sinceBoot),
            boot: SystemBoot.name)
    }

    // Both go on while the system is suspended, and neither can be set.
    #if canImport(Darwin)
        private static let sinceBoot = CLOCK_MONOTONIC_RAW
    #else
        private static let sinceBoot = CLOCK_BOOTTIME
    #endif

    private static func seconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec)
    }
}
