import Foundation
import Glibc
import TenureCore
import TenureServer
import TenureServerKit

/// The machine's time of day.
struct SystemClock: WallClock {
    func now() -> Timestamp { Timestamp(seconds: Int64(time(nil))) }
}

extension WatchedClock {
    /// Watches the machine's time of day.
    static func system(since mark: ClockMark) -> WatchedClock {
        WatchedClock(mark: mark) {
            ClockSample(wall: SystemClock().now(), steady: Stopwatch.secondsSinceBoot())
        }
    }
}

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

/// The file that moves a virtual clock: a whole number of seconds on a line.
struct ClockFile {
    let path: String

    /// The offset, nil when the file holds none.
    var offset: Int64? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return Int64(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Replaces the offset; whoever reads meanwhile sees the old one or the new one.
    func set(_ offset: Int64) throws(CommandError) {
        do {
            try Data("\(offset)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CommandError("The clock file \(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Moves the clock on by so many seconds.
    func advance(by seconds: Int64) throws(CommandError) {
        guard let offset else {
            throw CommandError(
                "The clock file \(path) must hold a whole number of seconds; write one with `echo 0 > FILE`.")
        }
        try set(offset.addingReportingOverflow(seconds).partialValue)
    }
}

/// Clocks that nobody sets.
enum Stopwatch {
    /// Seconds since the machine started, those in which it slept included.
    @Sendable static func secondsSinceBoot() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec)
    }

    /// Seconds since some moment before the process began.
    @Sendable static func seconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
