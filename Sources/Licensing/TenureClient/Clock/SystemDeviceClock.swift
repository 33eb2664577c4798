import TenureCore
import TenureFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Reads a device's wall clock, its uptime, and the identifier of its current boot.
package protocol DeviceClock: Sendable {
    /// Reads all clocks at once.
    func read() -> ClockReading
}

/// Reads the operating system's clocks, in whole seconds.
package struct SystemDeviceClock: DeviceClock {
    /// Creates a clock without any state of its own.
    package init() {}

    package func read() -> ClockReading {
        ClockReading(
            wall: Timestamp(seconds: Self.seconds(CLOCK_REALTIME)), uptime: Self.seconds(Self.sinceBoot),
            boot: SystemBoot.name)
    }

    // Both clocks keep running while the system is suspended, and can't be set.
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

/// The current boot of the operating system.
enum SystemBoot {
    /// An identifier that is the same for all processes until the system restarts; empty if the system reports none.
    static let name = readName()

    #if canImport(Darwin)
        private static func readName() -> String {
            var bytes = [UInt8](repeating: 0, count: 64)
            var count = bytes.count
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return "" }
            return String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
        }
    #else
        private static func readName() -> String {
            let file = try? FileDescriptor(opening: "/proc/sys/kernel/random/boot_id", O_RDONLY)
            let bytes = (try? file?.read(upTo: 64)) ?? []
            return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
        }
    #endif
}
