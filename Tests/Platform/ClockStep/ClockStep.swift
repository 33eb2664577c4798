import Glibc
import TenureThreads

/// Waits on a monitor while the wall clock stands as many seconds off as `CLOCK_STEP` says, and prints how that went.
///
/// A wait that never ends is ended by an alarm, which goes by the system's own time.
@main struct ClockStep {
    static func main() {
        alarm(30)
        let shortest = Duration.milliseconds(50)
        let end = SteadyTime.now().advanced(by: shortest)
        let found: Bool? = Monitor(0).wait(until: end) { _ in nil }
        print(found == nil && end.hasCome ? "waited" : "woke too early")
    }
}

/// Stands before the system's function for everything in this program.
@_cdecl("clock_gettime") func steppedClock(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32 {
    typealias Function = @convention(c) (clockid_t, UnsafeMutablePointer<timespec>) -> Int32
    let next = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "clock_gettime")
    let result = unsafeBitCast(next, to: Function.self)(clock, time)
    if clock == CLOCK_REALTIME, let step = getenv("CLOCK_STEP") { time.pointee.tv_sec += atol(step) }
    return result
}
