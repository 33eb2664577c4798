import FoundationEssentials
import Glibc
package import TenureCore
import TenureFormats

/// Reads the system's wall clock, in whole seconds.
package struct SystemClock: Sendable {
    package init() {}

    package func now() -> Timestamp { Timestamp(seconds: Int64(time(nil))) }
}

/// The system's time plus an offset in seconds from a file, which is read each time (`--clock FILE`).
///
/// It's for trials and tests: a device and a server with the same file always have the same time.
package struct VirtualClock: Sendable {
    private let file: ClockFile

    /// Creates a clock that follows a file; throws if the file can't be read or doesn't contain a whole number.
    package init(path: String) throws(CommandError) {
        file = ClockFile(path: path)
        guard file.offset != nil else {
            throw CommandError(
                "The clock file \(path) must contain a whole number of seconds, such as 0 or 86400. Create it with `echo 0 > FILE`."
            )
        }
    }

    /// Adds the file's current offset to the system's time.
    ///
    /// If the file has become unreadable, the offset counts as 0, because the clock must keep running.
    package func now() -> Timestamp {
        SystemClock().now().adding(seconds: file.offset ?? 0)
    }
}

/// The file with a virtual clock's offset: a whole number of seconds on one line.
package struct ClockFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The offset in seconds, read from the file; `nil` if the file can't be read or doesn't contain a whole number.
    package var offset: Int64? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return Int64(text.trimmed)
    }

    /// Replaces the offset atomically: a concurrent reader sees the old value or the new one.
    package func set(_ offset: Int64) throws(CommandError) {
        do {
            try Data("\(offset)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CommandError("The clock file \(path) cannot be written: \(error.systemMessage)")
        }
    }

    /// Moves the clock ahead by a number of seconds.
    package func advance(by seconds: Int64) throws(CommandError) {
        guard let offset else {
            throw CommandError(
                "The clock file \(path) must contain a whole number of seconds. Create it with `echo 0 > FILE`.")
        }
        try set(offset.addingReportingOverflow(seconds).partialValue)
    }
}

/// Monotonic clocks, which can't be set.
package enum Stopwatch {
    /// The kernel's random id of the current boot; `nil` if it can't be read.
    ///
    /// Two values of ``secondsSinceBoot()`` are comparable only if they were read under the same id.
    package static let bootIdentifier: String? = {
        guard let file = unsafe fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 36)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return count == bytes.count ? String(decoding: bytes, as: UTF8.self) : nil
    }()

    /// Seconds since the machine started, including suspended time.
    @Sendable package static func secondsSinceBoot() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec)
    }

    /// Seconds on a monotonic clock with an arbitrary start, for measuring durations; suspended time doesn't count.
    @Sendable package static func seconds() -> Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
