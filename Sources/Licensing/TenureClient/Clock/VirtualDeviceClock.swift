import TenureCore
import TenureFormats
import TenureFoundation

/// The system's clocks, shifted by a file; for tests, like the server's `--clock FILE`.
///
/// The file contains the number of whole seconds to add to all clocks. A second file with the same name plus `.error`
/// shifts only the wall clock, as if the user had set it.
package struct VirtualDeviceClock: DeviceClock {
    private let path: String

    /// Creates a clock that opens the files at each reading; a file that can't be read counts as 0.
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
        return Int64(text.trimmed) ?? 0
    }
}
