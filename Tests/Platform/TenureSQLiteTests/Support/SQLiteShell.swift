import TestProcesses

/// Runs statements in a separate `sqlite3` process and returns their output.
func sqlite(_ path: String, _ statements: String) throws -> String {
    let shell = try ChildProcess.run(["sqlite3", path, statements])
    struct Failed: Error { let exit: ChildProcess.Exit }
    if shell.exit != .code(0) { throw Failed(exit: shell.exit) }
    return shell.output
}

/// A process that holds a database's write lock until a test releases it.
final class LockHolder {
    private let shell: ChildProcess

    /// Returns once the lock is held.
    init(_ path: String) throws {
        shell = try ChildProcess(["sqlite3", path])
        try shell.write("BEGIN IMMEDIATE;\n.print held\n")
        _ = try shell.readLine()
    }

    /// Releases the lock and waits for the process to end.
    func letGo() {
        shell.closeInput()
        shell.wait()
    }
}
