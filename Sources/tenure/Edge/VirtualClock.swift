import TenureCore
import TenureServer

/// The machine's time plus the offset in seconds that a file holds, read again each time (`--clock FILE`).
///
/// For trying out and for tests: a device and a server that name the same file share one calendar.
struct VirtualClock: WallClock {
    private let file: ClockFile

    /// Refuses a file that cannot be read or that holds no whole number.
    init(path: String) throws(CommandError) {
        file = ClockFile(path: path)
        guard file.offset != nil else {
            throw CommandError(
                "The clock file \(path) must hold a whole number of seconds, such as 0 or 86400; write one with `echo 0 > FILE`."
            )
        }
    }

    /// A file that has become unreadable counts as no offset: time must not stop.
    func now() -> Timestamp {
        SystemClock().now().adding(seconds: file.offset ?? 0)
    }
}
