import Foundation
import Glibc
import TenureCore
import TenureServerKit

/// The system's clock.
struct SystemClock: WallClock {
    func now() -> Timestamp { Timestamp(seconds: Int64(time(nil))) }
}

extension WatchedClock {
    /// A watched clock that reads the system's clock.
    static func system(since mark: ClockMark) -> WatchedClock {
        WatchedClock(mark: mark) {
            ClockSample(wall: SystemClock().now(), steady: Stopwatch.secondsSinceBoot())
        }
    }
}

/// The system's time plus an offset in seconds from a file, which is read each time (`--clock FILE`).
///
/// It's for trials and tests: a device and a server with the same file share one calendar.
struct VirtualClock: WallClock {
    private let file: ClockFile

    /// Throws if the file can't be read or doesn't contain a whole number.
    init(path: String) throws(CommandError) {
        file = ClockFile(path: path)
        guard file.offset != nil else {
            throw CommandError(
                "The clock file \(path) must contain a whole number of seconds, such as 0 or 86400. Create it with `echo 0 > FILE`."
            )
        }
    }

    /// A file that becomes unreadable counts as an offset of 0, because the clock must keep running.
    func now() -> Timestamp {
        SystemClock().now().adding(seconds: file.offset ?? 0)
    }
}

/// The file with a virtual clock's offset: a whole number of seconds on one line.
struct ClockFile {
    let path: String

    /// The offset; `nil` if the file doesn't contain one.
    var offset: Int64? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return Int64(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Replaces the offset atomically: a concurrent reader sees the old value or the new one.
    func set(_ offset: Int64) throws(CommandError) {
        do {
            try Data("\(offset)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CommandError("The clock file \(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Moves the clock ahead by a number of seconds.
    func advance(by seconds: Int64) throws(CommandError) {
        guard let offset else {
            throw CommandError(
                "The clock file \(path) must contain a whole number of seconds. Create it with `echo 0 > FILE`.")
        }
        try set(offset.addingReportingOverflow(seconds).partialValue)
    }
}

/// Monotonic clocks, which can't be set.
enum Stopwatch {
    /// Seconds since the machine started, including suspended time.
    @Sendable static func secondsSinceBoot() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec)
    }

    /// Seconds on a monotonic clock.
    @Sendable static func seconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
