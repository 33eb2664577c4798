import Foundation
import GoldenFiles
import Synchronization
import TenurePostgres
import TenureServerKit
import TenureStore
import TestProcesses
import Testing

/// A real PostgreSQL server, started by the first test that needs it and stopped with the process.
final class PostgresServer: Sendable {
    /// The server that suites share. A test that stops its server must start a separate one.
    static let shared = Result { try PostgresServer() }

    let folder: String
    private let process: ChildProcess
    private let turn = Mutex(())

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ options: [String] = ["-c", "fsync=off", "-c", "max_connections=200"]) throws {
        folder = "/tmp/tenure-postgres-\(UUID().uuidString.prefix(8))"
        let package = URL.packageRoot
        process = try ChildProcess([package.appending(path: "Scripts/postgres-for-tests").path, folder] + options)
        try expectAnswer("ready")
    }

    deinit {
        process.closeInput()
        process.wait()
    }

    /// Creates an empty database and returns its URL.
    func makeDatabase() throws -> String {
        let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
        try sql("CREATE DATABASE \(name)", in: "postgres")
        return "postgres://tenure@/\(name)?host=\(folder)"
    }

    /// Runs a statement with `psql` and returns its output, one row per line.
    @discardableResult
    func sql(_ text: String, in database: String) throws -> String {
        try run("psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text], in: database)
    }

    /// Runs one of PostgreSQL's programs on a database and returns its output.
    @discardableResult
    func run(_ program: String, _ arguments: [String], in database: String) throws -> String {
        let done = try ChildProcess.run([program] + arguments + [url(database)])
        if done.exit != .code(0) { throw Failure(description: "\(program) failed on: \(arguments)") }
        return done.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Stops the server, or kills it as a crash would.
    func stop(crashing: Bool = false) throws { try command(crashing ? "kill" : "stop", answer: "stopped") }

    /// Starts the server again and waits until it's ready.
    func start() throws { try command("start", answer: "ready") }

    private func url(_ database: String) -> String {
        database.hasPrefix("postgres://") ? database : "postgres://tenure@/\(database)?host=\(folder)"
    }

    private func command(_ word: String, answer: String) throws {
        try turn.withLock { _ in
            try process.write("\(word)\n")
            try expectAnswer(answer)
        }
    }

    private func expectAnswer(_ answer: String) throws {
        let line = try process.readLine() ?? ""
        if line != answer {
            throw Failure(
                description:
                    "No PostgreSQL for the tests (it said \"\(line)\"); install it: sudo apt-get install postgresql")
        }
    }
}
