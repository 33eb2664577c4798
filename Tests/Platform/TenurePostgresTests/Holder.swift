import Foundation
import TenureServerKit

/// A session of another program that holds what a statement took, until it is told to let go.
final class Holder: Sendable {
    private let process: Process
    private let input: FileHandle

    init(_ server: PostgresServer, _ url: String, _ statement: String) throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["psql", "-X", "-q", "-A", "-t", url]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        self.input = input.fileHandleForWriting
        try process.run()
        try self.input.write(contentsOf: Data("\(statement);\n\\echo held\n".utf8))
        var said = ""
        while !said.contains("held\n") {
            guard let more = try output.fileHandleForReading.read(upToCount: 1), !more.isEmpty else {
                throw PostgresServer.Failure(description: "the holding session ended: \(said)")
            }
            said += String(decoding: more, as: UTF8.self)
        }
    }

    deinit { letGo() }

    func letGo() {
        try? input.close()
        process.waitUntilExit()
    }
}
