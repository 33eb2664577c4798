import TestProcesses

/// A database session of another process that holds a statement's locks until a test releases them.
final class Holder: Sendable {
    private let process: ChildProcess

    init(_ server: PostgresServer, _ url: String, _ statement: String) throws {
        process = try ChildProcess(["psql", "-X", "-q", "-A", "-t", url])
        try process.write("\(statement);\n\\echo held\n")
        repeat {
            guard let line = try process.readLine() else {
                throw PostgresServer.Failure(description: "the holding session ended")
            }
            if line == "held" { return }
        } while true
    }

    deinit { letGo() }

    func letGo() {
        process.closeInput()
        process.wait()
    }
}
