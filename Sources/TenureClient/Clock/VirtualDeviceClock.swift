import Foundation
import TenureCore

/// The system's clocks, moved by a file; for trying out, like the server's `--clock FILE`.
///
/// The file holds a whole number of seconds by which time has gone on. A second file beside it, with `.error` after its
/// name, may hold by how many seconds the wall clock alone is wrong, as if somebody had set it.
package struct VirtualDeviceClock: DeviceClock {
    private let path: String

    /// Reads the files anew each time; one that cannot be read counts as 0.
    package init(path: String) { self.path = path }

    package func read() -> ClockReading {
        let real = SystemDeviceClock().read()
        let passed = number(in: path)
        return ClockReading(
            wall: real.wall.timestamp.adding(seconds: passed).adding(seconds: number(in: path + ".error")),
            uptime: real.uptime.addingReportingOverflow(passed).partialValue, boot: real.boot)
    }

    private func number(in path: String) -> Int64 {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
        return Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }
}
