package import TenureCommandLine
import TenureStore

extension Installations {
    /// Returns the detector for a server on a shared database; `nil` for a store in the data folder, which no failover
    /// replaces.
    package func rewindDetector(_ arguments: Parsed, log: any Log) throws(CommandError) -> RewindDetector? {
        guard (try? StoreLocation.named(by: arguments))?.isShared == true else { return nil }
        let clock = try Installation.clock(arguments)
        return RewindDetector(in: HistoryFolder(path: arguments[SharedOptions.data]), now: { clock.now() }, log: log)
    }

    /// Returns an observer that checks a command's connections against the histories that servers have saved in a data
    /// folder; `nil` if the folder has no saved history.
    ///
    /// Without this check, a command that runs before a server could change a former primary, or use event numbers
    /// again.
    func commandObserver(
        in folder: HistoryFolder, _ arguments: Parsed, _ console: Console
    ) throws(CommandError) -> ConnectionObserver? {
        if folder.isEmpty { return nil }
        let clock = try Installation.clock(arguments)
        return RewindDetector(
            in: folder, keepsFile: false, now: { clock.now() }, log: ConsoleLog(console: console)
        ).observer
    }

    /// Opens an installation. If the address leads only to a former primary, this opens the former primary.
    ///
    /// So an operator can accept an older state that was restored on purpose.
    package func openEvenOlder(_ arguments: Parsed, console: Console) async throws -> Installation {
        do {
            return try await open(arguments, console: console)
        } catch let error as StoreError where error.code == .rewound {
            return try await open(arguments, console: console, observer: .accepting)
        }
    }
}

/// Warns the operator about lost events. Refused connections aren't logged, because they're errors of the command.
private struct ConsoleLog: Log {
    let console: Console

    func write(_ line: LogLine) {
        guard line.event == "store_rewound" else { return }
        for fact in line.facts where "\(fact.name)" == "text" {
            if case .text(let text) = fact.value { console.warn(text) }
        }
    }
}

extension ConnectionObserver {
    /// Accepts every connection.
    fileprivate static let accepting = ConnectionObserver(opened: { _ in }, appended: { _, _ in })
}
