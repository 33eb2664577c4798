import Foundation
import Glibc
import Synchronization

/// A process that a test started, with its standard input and output. Its standard error is the test's.
///
/// Tests don't use Foundation's `Process`, which learns of an exit through the run loop of the thread that started it.
/// With `Process`, a test can wait forever if it resumes on another thread, or runs beside an exit test.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Exit: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
        /// Other code in the test process has already reaped the child process, so its status is lost.
        case unknown
    }

    /// A failed system call.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let id: pid_t
    /// `nil` once the input is closed.
    private let input: Mutex<Int32?>
    private let output: Int32
    /// `nil` until `wait()` has reaped the process.
    private let exit = Mutex<Exit?>(nil)

    /// - Parameters:
    /// - words: The program, looked up in `PATH` if it has no slash, and its arguments.
    /// - environment: The program's whole environment; by default that of the test process.
    package init(_ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        let started = try spawn(words, environment: environment)
        (id, output) = (started.id, started.output)
        input = Mutex(started.input)
    }

    /// Kills the process if it still runs.
    deinit {
        closeInput()
        kill(SIGKILL)
        wait()
        close(output)
    }

    package func write(_ text: String) throws {
        try input.withLock { input throws(Failure) in
            guard let input else { throw Failure(description: "the input of process \(id) is closed") }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                // The input is a socket: writing to a pipe without a reader would end the tests with SIGPIPE.
                let sent = retryingInterrupted {
                    unsafe rest.withUnsafeBytes { bytes in
                        unsafe send(input, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                    }
                }
                if sent < 0 { throw Failure(description: "writing to process \(id) failed: error \(errno)") }
                rest = rest.dropFirst(sent)
            }
        }
    }

    package func closeInput() {
        input.withLock { input in
            if let input { close(input) }
            input = nil
        }
    }

    /// Reads the next line of the output, without the line end. Returns `nil` at the end of the output.
    package func readLine() throws -> String? {
        var line: [UInt8] = []
        while let byte = try readBytes(upTo: 1, of: output).first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Reads the rest of the output.
    package func readToEnd() throws -> String { String(decoding: try readAll(of: output), as: UTF8.self) }

    package func kill(_ signal: Int32) {
        exit.withLock { exit in if exit == nil { _ = Glibc.kill(id, signal) } }
    }

    /// Waits until the process has ended.
    @discardableResult package func wait() -> Exit {
        // Doesn't reap the process yet: `kill` uses its id, which must not be reused until `exit` is set.
        var information = unsafe siginfo_t()
        _ = retryingInterrupted { unsafe Int(waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT)) }
        return exit.withLock { exit in
            if let exit { return exit }
            var status: Int32 = 0
            let reaped = retryingInterrupted { unsafe Int(waitpid(id, &status, 0)) } == Int(id)
            let ended: Exit =
                !reaped ? .unknown : status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
            exit = ended
            return ended
        }
    }

    /// Runs a program without input until it ends.
    ///
    /// - Returns: The program's exit and its whole output.
    package static func run(
        _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (exit: Exit, output: String) {
        let process = try ChildProcess(words, environment: environment)
        process.closeInput()
        let output = try process.readToEnd()
        return (process.wait(), output)
    }
}
