import TenureCommandLine
import TenureMarketplaceClient

extension Console {
    /// Returns an install meter and the terminal line on which it shows its progress.
    func installBar() -> (meter: () -> InstallMeter, line: Console.LiveLine) {
        let line = liveLine()
        let meter = {
            InstallMeter { progress in
                line.show({ InstallBar.line(progress, columns: $0) }, always: progress.phase != .downloading)
            }
        }
        return (meter, line)
    }
}

/// Formats an install's progress as one line of a terminal.
enum InstallBar {
    static func line(_ progress: InstallProgress, columns: Int) -> String {
        let phase = progress.failure ?? progress.phase.rawValue
        guard progress.phase == .downloading, let total = progress.total else { return phase }
        var texts = ["\(Int(progress.fraction * 100))%", "\(size(progress.bytes)) of \(size(total))"]
        if let rate = progress.rate { texts.append("\(size(Int64(rate)))/s") }
        if let left = progress.timeLeft { texts.append("\(left.components.seconds) s left") }
        let rest = texts.joined(separator: "  ")
        let width = min(30, columns - phase.count - rest.count - 7)
        guard width >= 5 else { return "\(phase)  \(rest)" }
        let filled = Int(progress.fraction * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        return "\(phase)  [\(bar)]  \(rest)"
    }

    /// Formats a number of bytes in the largest unit that fits.
    static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<1_000_000_000: "\(tenths(bytes, 1_000_000)) MB"
        default: "\(tenths(bytes, 1_000_000_000)) GB"
        }
    }

    private static func tenths(_ bytes: Int64, _ unit: Int64) -> String {
        let tenths = bytes / (unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
