import Foundation

/// Runs statements in another process, as a person with the sqlite3 shell would.
func sqlite(_ path: String, _ statements: String) throws -> String {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    shell.arguments = ["sqlite3", path, statements]
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    struct Failed: Error { let status: Int32 }
    if shell.terminationStatus != 0 { throw Failed(status: shell.terminationStatus) }
    return text
}

/// A process that holds the write lock of a database until it is let go.
final class LockHolder {
    private let shell = Process()
    private let input = Pipe()

    /// Returns once the lock is held.
    init(_ path: String) throws {
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        shell.arguments = ["sqlite3", path]
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        input.fileHandleForWriting.write(Data("BEGIN IMMEDIATE;\n.print held\n".utf8))
        _ = output.fileHandleForReading.availableData
    }

    /// Lets go and waits for the process to end.
    func letGo() {
        input.fileHandleForWriting.closeFile()
        shell.waitUntilExit()
    }
}
