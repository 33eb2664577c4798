import Foundation
import Glibc
import TenureCore
import TenurePostgres
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting

/// A server with only the tests' feature, which runs jobs until it is killed.
///
/// `job-server STORE CLOCK OUTSIDE [order PIECES TENANT | stop-at STEP]`
///
/// It prints each step on one line before it continues. `before N` and `after N` report the store's Nth change since
/// the start. `delivered PIECE ATTEMPT` reports a delivery, which it has appended to the file OUTSIDE.
///
/// At the step named `STEP` it waits for a line of input. A test can then kill it there, or let other servers overtake
/// it.
@main struct JobServer {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3 else { exit(2) }
        let clock = MovedClock(path: words[1])
        let steps = Steps(stopAt: words.count > 4 && words[3] == "stop-at" ? words[4] : nil)
        let opened = try await open(words[0])
        if words.count > 5, words[3] == "order", let pieces = Int64(words[4]) {
            var random = SystemRandomNumberGenerator()
            let id = Job.ID.random(using: &random)
            try await opened.perform(
                RelayFeature.order(pieces, id: id, of: TenantID(words[5]), at: clock.now()))
            await opened.close()
            print(id.text)
            return
        }
        let store = WatchedStore(
            opened,
            step: { step in
                switch step {
                case .before(let number): await steps.come(to: "before \(number)")
                case .after(let number): await steps.come(to: "after \(number)")
                }
            })
        let rules = Job.Rules(
            plan: Job.RetryPlan(waits: [1_000, 2_000], jitterPercent: 0), concurrency: 2, timeout: 600)
        let outside = words[2]
        let kind = RelayFeature.kind(rules: rules) { job, piece throws(ServerError) in
            if FileManager.default.fileExists(atPath: outside + ".closed") {
                throw ServerError(.store, "nobody takes anything in outside")
            }
            append("\(job.id) \(piece) \(job.attempt)", to: outside)
            await steps.come(to: "delivered \(piece) \(job.attempt)")
        }
        let runner = JobRunner(kind, store: store, clock: clock, log: Lines(), interval: .milliseconds(20))
        let supervisor = Supervisor([runner], log: Lines()) { role in await store.lead(role) }
        try supervisor.start()
        say("ready")
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }

    private static func open(_ location: String) async throws -> any Store {
        if location.hasPrefix("postgres://") { return try await PostgresStore.open(.tenure, url: location) }
        return try SQLiteStore.open(.tenure, path: location, mode: .existing)
    }
}

/// Prints the steps, and waits at one of them.
private final class Steps: Sendable {
    private let stop: String?

    init(stopAt stop: String?) { self.stop = stop }

    func come(to step: String) async {
        say(step)
        if step == stop { _ = readLine() }
    }
}

/// The system's time, shifted by the number of seconds in a file.
private struct MovedClock: WallClock {
    let path: String

    func now() -> Timestamp {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let offset = Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        return Timestamp(seconds: Int64(Date().timeIntervalSince1970) + offset)
    }
}

/// Prints one line for each log entry.
private struct Lines: Log {
    func write(_ line: LogLine) { say("log \(line.event)") }
}

private func say(_ line: String) { try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8)) }

/// Appends in a single write, because two servers share the file.
private func append(_ line: String, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let bytes = Array("\(line)\n".utf8)
    guard file >= 0, write(file, bytes, bytes.count) == bytes.count else { exit(1) }
    close(file)
}
