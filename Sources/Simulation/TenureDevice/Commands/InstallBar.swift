import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
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

extension FinishedInstall {
    /// The result of a successful install, in words.
    func lines(on device: Device, at now: Timestamp) -> [String] {
        let target = variant.map { ", for \(device.model) with iOS \($0.bucket) or later" } ?? ""
        var lines = [
            "installed \(manifest.bundleID) \(manifest.shortVersion)",
            "  app      \(app.item), version \(app.version)",
            "  variant  \(app.asset)\(target)",
        ]
        if let bytes {
            let resumed = resumedBytes > 0 ? ", \(InstallBar.size(resumedBytes)) of it downloaded earlier" : ""
            lines.append("  \(isDelta ? "delta  " : "file   ")  \(InstallBar.size(bytes))\(resumed)")
        }
        return lines + ["  license  \(app.license.map { String($0.id) } ?? "-"), \(app.endWords(at: now))"]
    }
}

extension DeviceError {
    /// The system's name for the error, and the server's error text if it sent one, on one line.
    var endWords: String {
        guard let problem else { return "MarketplaceKitError.\(kit)" }
        let code = problem.code.map { " \($0)" } ?? ""
        let sentence = problem.sentence.map { ": \"\($0.printable)\"" } ?? ""
        return "MarketplaceKitError.\(kit); the server said \(problem.status)\(code.printable)\(sentence)"
    }
}

extension Console {
    /// Reports a failed install and returns exit code 1.
    func end(_ error: DeviceError, asJSON: Bool) throws(CommandError) -> ExitCode {
        guard asJSON else { throw CommandError("\(error.message)\n\(error.endWords)") }
        answer { $0.end(error) }
        return .failed
    }
}

extension JSONObjectWriter {
    /// Writes a successful install.
    mutating func finished(_ done: FinishedInstall, at now: Timestamp) {
        member("outcome", "installed")
        member("bytes", done.bytes)
        member("keptBytes", done.resumedBytes)
        member("isDelta", done.isDelta)
        app(done.app, at: now)
    }

    /// Writes a failed install.
    mutating func end(_ error: DeviceError) {
        member("outcome", "failed")
        member("code", error.code.text)
        member("message", error.message)
        member("error", error.kit.rawValue)
        if let problem = error.problem {
            object("server") { body in
                body.member("status", problem.status)
                body.member("code", problem.code)
                body.member("sentence", problem.sentence)
            }
        } else {
            null("server")
        }
    }
}
