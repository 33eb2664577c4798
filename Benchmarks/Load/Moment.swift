import Glibc

/// The monotonic clock in nanoseconds.
enum Moment {
    static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Sleeps until a time. Returns immediately if it has passed.
    static func sleep(until moment: UInt64) {
        var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
        unsafe clock_nanosleep(CLOCK_MONOTONIC, 1, &time, nil)
    }
}
