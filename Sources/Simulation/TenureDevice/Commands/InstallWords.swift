import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace

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
    /// The system's name for the error, and the server's own words if it sent any, on one line.
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
