import Glibc
import TenureThreads

/// Waits on a monitor while the wall clock is off by `CLOCK_STEP` seconds, and prints whether the wait took its full
/// time.
///
/// An alarm, which uses the real clock, ends the process if the wait never returns.
@main struct ClockStep {
    static func main() {
        alarm(30)
        let shortest = Duration.milliseconds(50)
        let end = SteadyTime.now().advanced(by: shortest)
        let found: Bool? = Monitor(0).wait(until: end) { _ in nil }
        print(found == nil && end.hasCome ? "waited" : "woke too early")
    }
}

/// Replaces the C library's `clock_gettime` for the whole program.
@_cdecl("clock_gettime") func steppedClock(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32 {
    typealias Function = @convention(c) (clockid_t, UnsafeMutablePointer<timespec>) -> Int32
    let next = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "clock_gettime")
    let result = unsafeBitCast(next, to: Function.self)(clock, time)
    if clock == CLOCK_REALTIME, let step = getenv("CLOCK_STEP") { time.pointee.tv_sec += atol(step) }
    return result
}
