import Glibc
import TenureCore
import TenureServer

/// The machine's time of day.
struct SystemClock: WallClock {
    func now() -> Timestamp { Timestamp(seconds: Int64(time(nil))) }
}
