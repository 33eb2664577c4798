import Glibc

/// A clock that never goes back, for measuring.
enum Stopwatch {
    /// Seconds since some moment before the process began.
    @Sendable static func seconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
